//! What a build without libtorch is told.

#[path = "../build/place.rs"]
mod place;

use std::path::PathBuf;

#[test]
fn one_line_says_what_to_run() {
    let root = std::env::temp_dir().join(format!("ivy-torch-build-{}", std::process::id()));
    let told = |root: Option<PathBuf>| place::checked(root).unwrap_err();
    for nothing in [None, Some(PathBuf::new())] {
        assert!(told(nothing).contains("LIBTORCH is not set: run ivy's ./setup-libtorch.sh"));
    }
    let missing = told(Some(root.clone()));
    assert!(
        missing.starts_with("no libtorch in ") && missing.contains(": run ./setup-libtorch.sh"),
        "{missing}"
    );
    std::fs::create_dir_all(root.join("lib")).unwrap();
    std::fs::write(root.join("lib/libtorch_cpu.so"), "").unwrap();
    assert_eq!(place::checked(Some(root.clone())).unwrap().0, root);
    std::fs::write(root.join("build-version"), "2.12.1+cpu\n").unwrap();
    let older = told(Some(root.clone()));
    assert!(older.starts_with("libtorch 2.12.1+cpu, not 2.13.0, in "), "{older}");
    assert!([missing, older].iter().all(|line| line.lines().count() == 1));
    std::fs::remove_dir_all(&root).unwrap();
}
