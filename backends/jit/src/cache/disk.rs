//! Object code on disk, found by a key that is all it depends on.
//!
//! A file holds a header (format, key, length, checksum) and the object. It is written under
//! another name and renamed, so that no reader sees a part of it; what does not fit its header
//! is removed, and made again. Reading marks a file as used; when the folder has grown beyond
//! its bound, those that were not used for longest go. The folder is the user's own: nobody else
//! may write to it, since what is in it is run. One that nobody may write to is read all the same.

use super::digest;
use crate::log::{Level, say};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The environment variable that names the folder, or says `off`.
pub const VARIABLE: &str = "IVY_JIT_CACHE";

/// The environment variable that bounds the folder, in bytes.
pub const SIZE: &str = "IVY_JIT_CACHE_SIZE";

/// The bytes that a folder may hold, unless another bound is set.
pub const LIMIT: u64 = 256 << 20;

/// Changes with the form of the files, and with what is generated.
const FORMAT: &[u8; 8] = b"ivyobj02";

const HEADER: usize = 8 + 16 + 8 + 8;

/// What a file's contents depend on, as a number of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u64; 2]);

impl Key {
    /// The key of these texts, in this order.
    pub fn of(texts: &[&str]) -> Key {
        let mut bytes = Vec::new();
        for text in texts {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        Key([0, 1].map(|seed| digest(&bytes, seed)))
    }

    fn bytes(self) -> [u8; 16] {
        let mut all = [0; 16];
        all[..8].copy_from_slice(&self.0[0].to_le_bytes());
        all[8..].copy_from_slice(&self.0[1].to_le_bytes());
        all
    }
}

/// The bound that the environment names; an error for what is no number of bytes.
fn bound(named: Option<&OsStr>) -> Result<u64, String> {
    let Some(named) = named else { return Ok(LIMIT) };
    let bytes = named.to_str().and_then(|text| text.parse().ok());
    bytes.ok_or_else(|| format!("{SIZE} = {}: a number of bytes", named.display()))
}

/// A folder of objects.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    limit: u64,
}

impl Disk {
    /// The folder that the environment names: [`VARIABLE`], else the user's cache folder by the
    /// XDG rule. `None` if it says `off`, or there is no such folder and none can be made, which is said
    /// where the user has named it.
    pub fn of_environment() -> Option<Disk> {
        let set = |name| std::env::var_os(name).filter(|v| !v.is_empty());
        let named = set(VARIABLE);
        let level = if named.is_some() { Level::Warn } else { Level::Info };
        let folder = match named {
            Some(value) if value == "off" => return None,
            Some(value) => PathBuf::from(value),
            None => {
                let cache = set("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
                cache.or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")))?.join("ivy").join("jit")
            }
        };
        let limit = bound(set(SIZE).as_deref()).unwrap_or_else(|wrong| {
            say(Level::Warn, format_args!("{wrong}"));
            LIMIT
        });
        let opened = Disk::open(&folder, limit);
        opened
            .inspect_err(|error| {
                say(level, format_args!("kernels are not kept on disk ({VARIABLE}): {error}"))
            })
            .ok()
    }

    /// A folder, made if there is none, that holds at most this many bytes.
    ///
    /// # Errors
    /// It cannot be made, is another user's, or others may write to it.
    pub fn open(folder: &Path, limit: u64) -> io::Result<Disk> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
        make(folder).map_err(named)?;
        let about = fs::metadata(folder).map_err(named)?;
        if !about.is_dir() || !is_private(&about) {
            let what = format!("{}: no folder of the user's that nobody else may write to", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        Ok(Disk { folder: folder.to_path_buf(), limit })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(format!("{:016x}{:016x}.o", key.0[0], key.0[1]))
    }

    /// The object of this key. A file that is not what was written is removed.
    pub fn get(&self, key: Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        // A pipe would be waited for, and a device may have no end.
        if !fs::metadata(&path).ok()?.is_file() {
            drop(fs::remove_file(&path));
            return None;
        }
        let writable = File::options().read(true).append(true).open(&path);
        let mut file = writable.or_else(|_| File::open(&path)).ok()?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(self.limit).read_to_end(&mut bytes).ok()?;
        let Some(object) = checked(key, bytes) else {
            drop(fs::remove_file(&path));
            return None;
        };
        // If that fails, it goes earlier than it might.
        drop(file.set_modified(SystemTime::now()));
        Some(object)
    }

    /// Keeps an object. Nothing is lost but time if it cannot be written.
    pub fn put(&self, key: Key, object: &[u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let part = self.folder.join(format!("{}-{number}.part", std::process::id()));
        let written =
            File::options().write(true).create_new(true).open(&part).and_then(|mut file| {
                file.write_all(&header(key, object)).and_then(|()| file.write_all(object))
            });
        if written.and_then(|()| fs::rename(&part, self.path(key))).is_err() {
            drop(fs::remove_file(&part));
        }
        // Not at each: looking through the folder takes as long as writing many.
        if number.is_multiple_of(32) {
            self.shrink();
        }
    }

    /// Removes what was not used for longest, until three quarters of the bound are left; nothing
    /// if the bound is kept.
    pub fn shrink(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let about = entry.metadata().ok()?;
                let known = entry.path().extension().is_some_and(|e| e == "o" || e == "part");
                (about.is_file() && known).then_some((about.modified().ok()?, about.len(), entry.path()))
            })
            .collect();
        let mut total: u64 = files.iter().map(|f| f.1).sum();
        if total <= self.limit {
            return;
        }
        files.sort();
        for (_, length, path) in files {
            if total <= self.limit / 4 * 3 {
                return;
            }
            // Another process may have been faster.
            drop(fs::remove_file(path));
            total -= length;
        }
    }
}

fn header(key: Key, object: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(FORMAT);
    bytes.extend(key.bytes());
    bytes.extend((object.len() as u64).to_le_bytes());
    bytes.extend(digest(object, 0).to_le_bytes());
    bytes
}

/// The object in a file's bytes, if they are what was written for this key.
fn checked(key: Key, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    if bytes.len() < HEADER {
        return None;
    }
    let object = bytes.split_off(HEADER);
    (bytes == header(key, &object)).then_some(object)
}

#[cfg(unix)]
fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// True if it is the user's, and neither the group nor others may write.
#[cfg(unix)]
fn is_private(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // A process is its user's, where the system shows processes as files.
    let is_of_another = fs::metadata("/proc/self").is_ok_and(|process| process.uid() != about.uid());
    about.mode() & 0o022 == 0 && !is_of_another
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}
