//! A libtorch that is missing, cut short or of another version when the program runs.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

fn ivy(libtorch: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ivy"));
    let output = command.args(arguments).env("LIBTORCH", libtorch).output().expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?} ends with {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A folder like the real one, in which links stand for all files but one, which `change` makes.
fn like_the_real(name: &str, change: impl FnOnce(&Path, &Path)) -> tempfile::TempDir {
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../third_party/libtorch");
    let real = std::env::var_os("LIBTORCH").map_or(real, Into::into);
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("lib")).unwrap();
    let libraries =
        real.join("lib").read_dir().unwrap().map(|e| format!("lib/{}", e.unwrap().file_name().display()));
    for file in libraries.chain(["build-version".to_string()]).filter(|file| file != name) {
        symlink(real.join(&file), folder.path().join(&file)).unwrap();
    }
    change(&real.join(name), &folder.path().join(name));
    folder
}

/// The first bytes of a file.
fn cut(bytes: u64) -> impl Fn(&Path, &Path) {
    move |from, to| {
        let mut start = std::io::Read::take(fs::File::open(from).unwrap(), bytes);
        std::io::copy(&mut start, &mut fs::File::create(to).unwrap()).unwrap();
    }
}

#[test]
fn it_is_reported_and_the_other_backends_work() {
    let nothing = |_: &Path, _: &Path| {};
    let cases = [
        (like_the_real("lib/libtorch_cpu.so", nothing), "there is no libtorch_cpu.so in"),
        (like_the_real("lib/libc10.so", nothing), "libc10.so"),
        (like_the_real("lib/libcudart.so.13", nothing), "libcudart.so.13"),
        (like_the_real("lib/libtorch_cpu.so", cut(40)), "only its beginning"),
        (like_the_real("lib/libtorch_cpu.so", cut(1 << 20)), "not written to its end"),
        (like_the_real("lib/libcupti.so.13", cut(1 << 20)), "not written to its end"),
        (
            like_the_real("build-version", |_, to| fs::write(to, "2.12.1+cpu").unwrap()),
            "is version 2.12.1, not 2.13.0",
        ),
        (like_the_real("build-version", nothing), "does not tell its version"),
    ];
    for (folder, reason) in &cases {
        let root = folder.path();
        let listed: serde_json::Value = serde_json::from_str(&ivy(root, &["backends", "--json"])).unwrap();
        // Whether there is a GPU is not the question here.
        let others = |b: &&serde_json::Value| b["name"] != "jit:cuda";
        for backend in listed["backends"].as_array().unwrap().iter().filter(others) {
            let told = backend["reason"].as_str().unwrap_or_default();
            let as_it_is = match backend["name"] == "torch" {
                true => told.contains(reason) && told.contains("./setup-libtorch.sh"),
                false => backend["available"] == true,
            };
            assert!(as_it_is, "{reason}: {backend}");
        }
        assert!(ivy(root, &["explain", "add", "float32", "int32"]).contains("float64"));
        assert!(ivy(root, &["backends"]).contains("torch is not available"));
    }
    let computed = ["conformance", "--backend", "ndarray", "--function", "add", "--sample", "0.01"];
    assert!(ivy(cases[0].0.path(), &computed).contains("conforms"));
    let whole = like_the_real("build-version", |_, to| fs::write(to, "2.13.0+cpu").unwrap());
    assert!(!ivy(whole.path(), &["backends"]).contains("torch is not available"));
}
