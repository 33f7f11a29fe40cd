//! The example `filter` in small: beside loops over numbers, and the files that it reads and writes.

use crate::filter::png::{Picture, crc32, read, write};
use crate::filter::shown;

/// A picture with an edge, a slope and some noise.
fn source(height: usize, width: usize) -> Picture {
    let pixel = |i: usize| {
        let (y, x, channel) = (i / 3 / width, i / 3 % width, i % 3);
        let noise = (i * 7919 % 23) as u8;
        if x > width / 2 { 200 - noise } else { (4 * y + 10 * channel) as u8 / 2 + noise }
    };
    Picture { height, width, pixels: (0..3 * height * width).map(pixel).collect() }
}

/// One channel of numbers, by rows.
type Plane = Vec<Vec<f64>>;

/// A plane under a kernel down its columns, or along its rows; beyond an edge stands what is at it.
fn filtered(plane: &[Vec<f64>], kernel: &[f64], down: bool) -> Plane {
    let (height, width, half) = (plane.len() as i64, plane[0].len() as i64, kernel.len() as i64 / 2);
    let at = |y: i64, x: i64| plane[y.clamp(0, height - 1) as usize][x.clamp(0, width - 1) as usize];
    let sum = |y: i64, x: i64| {
        let weighted = (-half..).zip(kernel).map(|(i, w)| w * if down { at(y + i, x) } else { at(y, x + i) });
        weighted.sum::<f64>()
    };
    (0..height).map(|y| (0..width).map(|x| sum(y, x)).collect()).collect()
}

/// The filter, number by number.
fn by_loops(source: &Picture) -> Vec<u8> {
    let (height, width) = (source.height, source.width);
    let bell: Vec<f64> = (-6..=6).map(|i| (-0.5 * (f64::from(i) / 2.0).powi(2)).exp()).collect();
    let bell: Vec<f64> = bell.iter().map(|w| w / bell.iter().sum::<f64>()).collect();
    let channel = |c: usize| -> Plane {
        let byte = |y: usize, x: usize| f64::from(source.pixels[3 * (y * width + x) + c]);
        (0..height).map(|y| (0..width).map(|x| byte(y, x)).collect()).collect()
    };
    let smooth: Vec<Plane> =
        (0..3).map(|c| filtered(&filtered(&channel(c), &bell, true), &bell, false)).collect();
    let light =
        |y: usize, x: usize| 0.299 * smooth[0][y][x] + 0.587 * smooth[1][y][x] + 0.114 * smooth[2][y][x];
    let gray: Plane = (0..height).map(|y| (0..width).map(|x| light(y, x)).collect()).collect();
    let (slope, bump) = ([-1.0, 0.0, 1.0], [1.0, 2.0, 1.0]);
    let down = filtered(&filtered(&gray, &slope, true), &bump, false);
    let across = filtered(&filtered(&gray, &slope, false), &bump, true);
    let steep = |y: usize, x: usize| down[y][x].hypot(across[y][x]);
    let mut all: Vec<f64> = (0..height * width).map(|i| steep(i / width, i % width)).collect();
    all.sort_by(f64::total_cmp);
    let place = 0.98 * (all.len() - 1) as f64;
    let (below, rest) = (place as usize, place.fract());
    let limit = all[below] + rest * (all[below + 1] - all[below]);
    let shaded = |i: usize| {
        let (y, x) = (i / 3 / width, i / 3 % width);
        let shade = 1.0 - (steep(y, x) / limit).clamp(0.0, 1.0);
        (smooth[i % 3][y][x] * shade).clamp(0.0, 255.0).round_ties_even() as u8
    };
    (0..3 * height * width).map(shaded).collect()
}

#[test]
fn the_filter_is_as_loops_have_it() {
    let source = source(19, 24);
    let (found, expected) = (shown(&source).expect("the filter runs"), by_loops(&source));
    assert_ne!(found, source.pixels);
    let apart = found.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max();
    assert_eq!(found.len(), expected.len());
    assert!(apart <= Some(1), "{apart:?} apart");
}

#[test]
fn files_are_read_as_they_are_written() {
    // More bytes than one block of the stream takes.
    let picture = source(150, 160);
    assert_eq!(read(&write(&picture)), Ok(picture));
}

#[test]
fn the_astronaut_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/astronaut.png");
    let file = std::fs::read(path).expect("the picture is there");
    let picture = read(&file).expect("it is a picture");
    assert_eq!((picture.height, picture.width), (512, 512));
    // The check sum of the pixels as zlib and the five filters of rows give them.
    assert_eq!(crc32(&picture.pixels), 4_257_916_255);
}

#[test]
fn what_is_no_picture_is_refused() {
    let file = write(&source(4, 5));
    let cut = |length: usize| read(&file[..length]).unwrap_err();
    assert_eq!(read(b"GIF89a"), Err("the file is no PNG"));
    assert_eq!(cut(8), "the file has no header");
    assert_eq!(cut(50), "a chunk is cut short");
    let mut gray = file.clone();
    gray[25] = 0;
    assert_eq!(read(&gray), Err("pixels of three colours with 8 bits are needed, not interlaced"));
    let mut filter = file;
    let first = filter.windows(4).position(|kind| kind == b"IDAT").expect("there are pixels") + 4 + 7;
    filter[first] = 9;
    assert_eq!(read(&filter), Err("there is no such filter of rows"));
}
