//! The examples, in small.

#[allow(dead_code)] // the examples use the rest
#[path = "../../examples/frames/mod.rs"]
mod frames;
#[path = "../../examples/julia/julia.rs"]
mod julia;
#[path = "../../examples/life/life.rs"]
mod life;
#[path = "../../examples/mpm88/mpm88.rs"]
mod mpm88;
#[path = "../../examples/nbody/nbody.rs"]
mod nbody;

use crate::support::on_all;
use frames::Frames;
use ivy_taichi::Config;

/// What plain Rust paints.
fn painted(n: usize, time: f32) -> Vec<f32> {
    let point = |i: usize, j: usize| {
        let c = [-0.8f32, time.cos() * 0.2];
        let mut z = [(i as f32 / n as f32 - 1.0) * 2.0, (j as f32 / n as f32 - 0.5) * 2.0];
        let mut steps = 0;
        while (z[0] * z[0] + z[1] * z[1]).sqrt() < 20.0 && steps < 50 {
            z = [z[0] * z[0] - z[1] * z[1] + c[0], z[0] * z[1] * 2.0 + c[1]];
            steps += 1;
        }
        1.0 - steps as f32 * 0.02
    };
    (0..2 * n * n).map(|k| point(k / n, k % n)).collect()
}

#[test]
fn t_56_julia_sets() {
    on_all(Config::new(), |program| {
        let mut shown = Vec::new();
        julia::run(program, 12, 2, |pixels| shown.push(pixels.to_vec()))?;
        assert_eq!(shown.len(), 2);
        for (frame, pixels) in shown.iter().enumerate() {
            let want = painted(12, frame as f32 * 0.03);
            // A cosine that differs in the last place may move a point by a step.
            let differ = pixels.iter().zip(&want).filter(|(a, b)| a != b).count();
            assert!(differ <= 4, "{differ} of {} differ", want.len());
        }
        Ok(())
    });
}

/// A glider is where it was, one further, after four generations.
#[test]
fn t_56_game_of_life() {
    const N: usize = 8;
    let glider = |shift: usize| {
        let mut cells = vec![0; N * N];
        for (i, j) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
            cells[(i + shift) % N * N + (j + shift) % N] = 1;
        }
        cells
    };
    for packed in [false, true] {
        on_all(Config::new().packed(packed), |program| {
            let mut shown = Vec::new();
            life::run(program, N, Some(&glider(0)), 33, |cells| shown.push(cells.to_vec()))?;
            for (n, cells) in shown.iter().step_by(4).enumerate() {
                assert_eq!(*cells, glider(n), "generation {}", 4 * n);
            }
            let mut random = Vec::new();
            life::run(program, 32, None, 1, |cells| random = cells.to_vec())?;
            assert!((150..450).contains(&random.iter().filter(|&&cell| cell == 1).count()));
            Ok(())
        });
    }
}

/// A liquid falls as far as gravity takes it, and stays in its box; the same bits on every target.
#[test]
fn t_56_a_liquid() {
    let first = std::cell::RefCell::new(None);
    on_all(Config::new(), |program| {
        let middle = |steps| -> ivy_taichi::Result<(f32, Vec<u32>)> {
            let at = mpm88::run(program, 256, 16, steps)?;
            assert!(at.iter().all(|p| p.0.iter().all(|z| (0.0..1.0).contains(z))), "{at:?}");
            let bits = at.iter().flat_map(|p| p.0.map(f32::to_bits)).collect();
            Ok((at.iter().map(|p| p.0[1]).sum::<f32>() / 256.0, bits))
        };
        let (before, _) = middle(0)?;
        let (after, bits) = middle(20)?;
        // Twenty steps of 1.6 ms, at a speed of 1 and more.
        let fallen = before - after;
        assert!((0.03..0.045).contains(&fallen), "{fallen}");
        assert_eq!(*first.borrow_mut().get_or_insert_with(|| bits.clone()), bits);
        Ok(())
    });
}

/// Bodies go the same ways in both layouts, and their middle stays.
#[test]
fn t_56_bodies() {
    for steps in [0, 5] {
        on_all(Config::new().random_seed(3), |program| {
            let aos = nbody::run(program, nbody::Layout::Aos, 48, steps)?;
            assert!(aos.iter().all(|at| at.0.iter().all(|z| z.abs() < 2.0)));
            Ok(())
        });
    }
    let program = |layout| {
        let program = ivy_taichi::Program::new(Config::new()).unwrap();
        nbody::run(&program, layout, 48, 5).unwrap()
    };
    assert_eq!(program(nbody::Layout::Aos), program(nbody::Layout::Soa));
}

#[test]
fn t_56_frames_are_pictures() {
    let folder = std::env::temp_dir().join(format!("ivy-taichi-frames-{}", std::process::id()));
    let mut written = Frames::new(&folder, 1).unwrap();
    written.write(3, &[[1, 2, 3]; 6]).unwrap();
    let file = std::fs::read(folder.join("0000.png")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!((&file[16..20], &file[20..24]), (&[0, 0, 0, 3][..], &[0, 0, 0, 2][..]));
    // Two rows of a filter's byte and three colours, in one stored block after zlib's two bytes.
    let data = file.windows(4).position(|w| w == b"IDAT").unwrap() + 4;
    assert_eq!(file[data..data + 7], [0x78, 0x01, 1, 20, 0, 235, 255]);
    assert_eq!(file[data + 7..data + 17], [0, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
    // The sum of the last chunk is known.
    assert_eq!(file[file.len() - 12..], [0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82]);
}
