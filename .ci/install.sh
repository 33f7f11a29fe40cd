# `install PACKAGE...` by apt, for scripts to source.
install() {
    echo "==> installing $*"
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@"
}
