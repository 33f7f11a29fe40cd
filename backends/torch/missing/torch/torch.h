// What the compiler finds in place of libtorch's header where there is no libtorch (it looks here
// last, see .cargo/config.toml): it says what to do, and stops at the second line.
#error "no libtorch: run ./setup-libtorch.sh, or build without the feature `torch`"
#include "there is nothing to go on with"
