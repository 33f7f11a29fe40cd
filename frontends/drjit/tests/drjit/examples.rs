//! The examples in small.

#[path = "../../examples/texture_fit/fit.rs"]
mod fit;
#[path = "../../examples/mandelbrot/render.rs"]
mod mandelbrot;
#[path = "../../examples/picture/mod.rs"]
mod picture;
#[path = "../../examples/signed_distance/render.rs"]
mod signed_distance;

use super::on_both;
use ivy_drjit::{self as dr, AnyArray, Mode, Package, scalar};

fn numbers(x: &AnyArray) -> dr::Result<Vec<f64>> {
    Ok(x.to_scalars()?.iter().map(|x| x.to_f64()).collect())
}

#[test]
fn a_scene_of_distances_is_lit_by_their_gradients() {
    on_both(|| {
        let size = 16;
        let view = signed_distance::render(size)?;
        let far = numbers(&view.far)?;
        // The two pixels to the left of the middle and above look at the ball from a distance of its centre's less one.
        let middle = far[(size / 2 - 1) * size + size / 2 - 1];
        assert!((middle - (1.5f64 * 1.5 + 16.0).sqrt() + 1.0).abs() < 0.05, "{middle}");
        let length = numbers(&dr::norm(&view.normal)?)?;
        let seen = far.iter().filter(|far| **far < 20.0).count();
        assert!(
            seen > size * size / 2 && seen < size * size,
            "{seen} pixels show something, the others the sky"
        );
        assert!(length.iter().all(|length| (length - 1.0).abs() < 1e-3));
        let pixels = picture::pixels(&view.colour)?;
        let brightest = pixels.iter().map(|[red, ..]| *red).max();
        assert!(pixels.len() == size * size && brightest > Some(150), "{brightest:?}");
        Ok(())
    });
}

#[test]
fn the_mandelbrot_set_is_one_in_three_modes() {
    on_both(|| {
        let (width, most) = (24, 30);
        let plane = mandelbrot::plane(Package::LLVM, width)?;
        let iterations = numbers(&mandelbrot::escape(&plane, most, Mode::Symbolic)?)?;
        assert_eq!(numbers(&mandelbrot::escape(&plane, most, Mode::Evaluated)?)?, iterations);
        let (x, y) = (numbers(&plane.real()?)?, numbers(&plane.imag()?)?);
        for number in (0..iterations.len()).step_by(37) {
            let c = scalar::Complex2f::new((x[number], y[number]))?;
            assert_eq!(numbers(&mandelbrot::escape(&c, most, Mode::Scalar)?)?, [iterations[number]], "{c}");
        }
        // The numbers around -0.1 never end, those at the left end soon.
        assert!(iterations.contains(&f64::from(most)) && iterations.contains(&1.0), "{iterations:?}");
        let pixels =
            picture::pixels(&mandelbrot::colours(&mandelbrot::escape(&plane, most, Mode::Auto)?, most)?)?;
        let black = pixels.iter().filter(|pixel| **pixel == [0; 3]).count();
        assert_eq!(black, iterations.iter().filter(|iterations| **iterations == f64::from(most)).count());
        Ok(())
    });
}

#[test]
fn a_texture_learns_a_picture() {
    on_both(|| {
        let mut fit = fit::Fit::new(12)?;
        let first = fit.step(256)?;
        let last = (0..25).try_fold(first, |_, _| fit.step(256))?;
        assert!(last < first / 4.0, "{first} {last}");
        assert_eq!(fit.colours(8)?.shape(), Some(vec![3, 64]));
        Ok(())
    });
}

#[test]
fn pictures_are_png_files() {
    let file = picture::png(2, &[[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]]);
    assert_eq!(file[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(file[16..24], [0, 0, 0, 2, 0, 0, 0, 2], "width and height");
    // The sums of the header and of the end, as every such file has them.
    assert_eq!(file[29..33], [0xfd, 0xd4, 0x9a, 0x73]);
    assert_eq!(file[file.len() - 4..], [0xae, 0x42, 0x60, 0x82]);
    let path = std::env::temp_dir().join(format!("ivy-drjit-{}.png", std::process::id()));
    let grey = dr::scalar::Array3f::new([0.5, 0.5, 0.5]).unwrap();
    picture::write(&path, 1, &grey).unwrap();
    let written = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(written, picture::png(1, &[[186; 3]]));
}
