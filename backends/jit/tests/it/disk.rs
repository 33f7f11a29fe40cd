//! Object code on disk: taken from there, checked, bounded, and safe with several writers.

use crate::common::arrays;

use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::{Disk, Generator, Key, LIMIT, SIZE, VARIABLE};
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::engine::Counters;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Op};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `x + x` by a new engine.
fn doubled(folder: &Path) -> (Vec<f32>, Counters) {
    let found = llvm::llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    let disk = Disk::open(folder, LIMIT).unwrap();
    let b = JitBackend::with_disk(Generator::Llvm(found), Some(disk));
    let x = HostArray::from_vec((0..100).map(|i| i as f32 * 0.5).collect(), [100].into()).unwrap();
    let result = arrays::run(&b, &Op::Binary(BinaryOp::Add), &[&x, &x]);
    (result.to_vec().unwrap(), b.engine().counters())
}

fn check(folder: &Path, loaded: u64) {
    let (got, counters) = doubled(folder);
    assert!(got.iter().enumerate().all(|(i, &v)| v == i as f32));
    assert_eq!((counters.compiled, counters.loaded), (1, loaded));
}

fn only_file(folder: &Path) -> PathBuf {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

#[test]
fn another_engine_takes_it_from_there() {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), 0);
    check(folder.path(), 1);
    // Without a folder nothing is kept.
    let b = JitBackend::new(Generator::Interp);
    assert_eq!(b.engine().counters().loaded, 0);
    only_file(folder.path());
}

#[test]
fn a_flipped_byte_means_another_compilation() {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), 0);
    let file = only_file(folder.path());
    let good = std::fs::read(&file).unwrap();
    let places = (0..44).chain([good.len() / 2, good.len() - 1]);
    for at in places {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        std::fs::write(&file, &bad).unwrap();
        check(folder.path(), 0);
        assert_eq!(std::fs::read(&file).unwrap(), good);
    }
    for length in [0, 7, 39, 40, good.len() - 1] {
        std::fs::write(&file, &good[..length]).unwrap();
        check(folder.path(), 0);
    }
    check(folder.path(), 1);
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), 0);
    let file = only_file(folder.path());
    for of in ["/dev/zero", "pipe"] {
        std::fs::remove_file(&file).unwrap();
        match of {
            "pipe" => assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success()),
            of => std::os::unix::fs::symlink(of, &file).unwrap(),
        }
        check(folder.path(), 0);
        check(folder.path(), 1);
    }
}

#[test]
fn a_right_header_before_no_object_is_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    check(folder.path(), 0);
    let name = only_file(folder.path());
    let name = name.file_stem().unwrap().to_str().unwrap().to_string();
    // Whatever bytes there are under a key come back, and are no object to LLVM.
    let disk = Disk::open(folder.path(), LIMIT).unwrap();
    let key = Key::of(&["some", "text"]);
    assert_ne!(Key::of(&["somet", "ext"]), key);
    disk.put(key, b"no object");
    assert_eq!(disk.get(key).unwrap(), b"no object");
    assert_eq!(name.len(), 32);
    let kernel = ivy_backend_jit::ir::Kernel {
        params: vec![],
        statements: vec![],
        blocks: vec![vec![], vec![]],
        effects: None,
        guarantees: Default::default(),
        calls: Default::default(),
    };
    let found = llvm::llvm().unwrap();
    assert!(llvm::link(found, &kernel, llvm::Style::FAST, b"no object".to_vec()).is_err());
    assert!(
        llvm::link(found, &kernel, llvm::Style::FAST, b"no object, but ivy_kernel_0000000000000000".to_vec())
            .is_err()
    );
}

#[test]
fn what_was_not_used_for_longest_goes() {
    let folder = tempfile::tempdir().unwrap();
    // Written without a bound in sight, shrunk by another that has one.
    let disk = Disk::open(folder.path(), LIMIT).unwrap();
    let keys: Vec<Key> = (0..20).map(|i| Key::of(&[&i.to_string()])).collect();
    for (i, &key) in keys.iter().enumerate() {
        disk.put(key, &[i as u8; 960]);
        // As if an hour had gone by.
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = std::fs::File::options().append(true).open(file.unwrap().path()).unwrap();
            let before = file.metadata().unwrap().modified().unwrap() - Duration::from_secs(3600);
            file.set_modified(before).unwrap();
        }
    }
    assert!(disk.get(keys[0]).is_some(), "read, and so used last");
    let disk = Disk::open(folder.path(), 10_000).unwrap();
    disk.shrink();
    let kept: Vec<usize> = (0..20).filter(|&i| disk.get(keys[i]).is_some()).collect();
    assert_eq!(kept, [0, 14, 15, 16, 17, 18, 19]);
    disk.shrink();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 7);
}

#[test]
fn writers_do_not_disturb_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let key = Key::of(&["one"]);
    std::thread::scope(|scope| {
        for byte in 0..4u8 {
            let disk = Disk::open(folder.path(), 20_000).unwrap();
            scope.spawn(move || {
                for _ in 0..200 {
                    disk.put(key, &[byte; 5000]);
                    // Some writer's, and whole.
                    if let Some(got) = disk.get(key) {
                        assert!(got.len() == 5000 && got.iter().all(|&b| b == got[0]));
                    }
                    disk.shrink();
                }
            });
        }
    });
    only_file(folder.path());
}

/// Run by the next test, in processes of its own; by itself it does nothing.
#[test]
fn a_process_with_a_bound() {
    if std::env::var_os(SIZE).is_some() {
        let disk = Disk::of_environment().unwrap();
        (0..40).for_each(|i| disk.put(Key::of(&[&i.to_string()]), &[0; 960]));
    }
}

#[test]
fn the_environment_bounds_the_folder() {
    for (size, kept) in [("10000", 7..=20), ("", 40..=40), ("much", 40..=40)] {
        let folder = tempfile::tempdir().unwrap();
        let done = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "disk::a_process_with_a_bound", "--nocapture"])
            .env(VARIABLE, folder.path())
            .env(SIZE, size)
            .output()
            .unwrap();
        assert!(done.status.success());
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert!(kept.contains(&files), "{size}: {files} files");
        let said = String::from_utf8(done.stderr).unwrap();
        let wrong = said.contains("ivy jit: IVY_JIT_CACHE_SIZE = much: a number of bytes\n");
        assert_eq!(wrong, size == "much", "{said}");
    }
}

/// Run by another test, in processes of its own; by itself it does nothing.
#[test]
fn a_process() {
    if let Some(folder) = std::env::var_os("IVY_TEST_FOLDER") {
        let (got, _) = doubled(Path::new(&folder));
        assert_eq!(got[99], 99.0);
    }
}

#[test]
fn processes_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "disk::a_process"])
            .env("IVY_TEST_FOLDER", folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    for mut child in [start(), start(), start()] {
        assert!(child.wait().unwrap().success());
    }
    check(folder.path(), 1);
}

#[cfg(unix)]
#[test]
fn a_folder_that_others_write_to_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a").join("b");
    let disk = Disk::open(&inner, LIMIT).unwrap();
    assert_eq!(std::fs::metadata(disk.folder()).unwrap().permissions().mode() & 0o777, 0o700);
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o777)).unwrap();
    assert!(Disk::open(&inner, LIMIT).is_err());
    let error = Disk::open(&only_file(folder.path()).join("b").join("no").join("\0"), LIMIT).unwrap_err();
    assert!(error.to_string().starts_with(folder.path().to_str().unwrap()), "{error}");
    // Another user's: only root can make one.
    let other = tempfile::tempdir().unwrap();
    if std::os::unix::fs::chown(other.path(), Some(12345), None).is_ok() {
        assert!(Disk::open(other.path(), LIMIT).is_err());
    }
}
