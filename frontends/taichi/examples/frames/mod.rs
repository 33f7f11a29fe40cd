//! What the examples share: frames as PNG files, and a line that shows progress.

mod png;

use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes frames to a folder.
pub struct Frames {
    folder: PathBuf,
    count: usize,
    done: usize,
}

impl Frames {
    /// So many frames in a folder, which is made.
    pub fn new(folder: &Path, count: usize) -> std::io::Result<Frames> {
        std::fs::create_dir_all(folder)?;
        Ok(Frames { folder: folder.to_owned(), count, done: 0 })
    }

    /// The next frame: colours by rows, from the top.
    pub fn write(&mut self, width: usize, colours: &[[u8; 3]]) -> std::io::Result<()> {
        let path = self.folder.join(format!("{:04}.png", self.done));
        std::fs::write(path, png::encode(width, colours))?;
        self.done += 1;
        let bar = 40 * self.done / self.count.max(1);
        eprint!("\r[{:40}] {} of {}", "#".repeat(bar), self.done, self.count);
        if self.done == self.count {
            eprintln!(" in {}", self.folder.display());
        }
        std::io::stderr().flush()
    }
}

/// Points of the unit square, each a dot of three by three pixels, in a square picture: colours between two, nearer to the second
/// one the more points are at a place.
pub fn dots(
    size: usize,
    points: impl Iterator<Item = [f32; 2]>,
    [few, many]: [[u8; 3]; 2],
    each: f32,
) -> Vec<[u8; 3]> {
    let mut seen = vec![0f32; size * size];
    for point in points {
        let [across, up] = point.map(|z| (z * size as f32) as isize);
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (across + x, up + y))) {
            if (0..size as isize).contains(&x) && (0..size as isize).contains(&y) {
                seen[(size - 1 - y as usize) * size + x as usize] += each;
            }
        }
    }
    let mixed = |x: f32| {
        std::array::from_fn(|n| {
            let [from, to] = [few[n], many[n]].map(f32::from);
            (from + (to - from) * x.min(1.0)) as u8
        })
    };
    seen.into_iter().map(mixed).collect()
}

/// A colour between blue and yellow for a number from 0 to 1.
pub fn colour(x: f32) -> [u8; 3] {
    let channel = |phase: f32| {
        let wave = 0.5 + 0.5 * (std::f32::consts::TAU * (0.8 * x + phase)).cos();
        (255.0 * wave * x.clamp(0.0, 1.0).sqrt()) as u8
    };
    [channel(0.1), channel(0.2), channel(0.4)]
}
