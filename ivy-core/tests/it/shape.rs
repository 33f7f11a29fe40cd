//! Shapes of every number of axes about the one up to which they stand in the shape itself.

use ivy_core::Shape;

#[test]
fn shapes_are_their_axes_and_equal_to_no_others() {
    let all: Vec<Vec<usize>> = (0..=6).flat_map(|n| [vec![0; n], vec![1; n], (2..n + 2).collect()]).collect();
    for axes in &all {
        let shape = Shape::from(axes.clone());
        assert_eq!(shape[..], axes[..]);
        assert_eq!(shape.size(), axes.iter().product::<usize>());
        for others in &all {
            assert_eq!(shape.clone() == Shape::from(&others[..]), axes == others, "{axes:?} and {others:?}");
        }
    }
}
