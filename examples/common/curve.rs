//! The curve of the losses of a training, which several examples draw.

use plotters::prelude::*;

/// The losses over the steps, each the mean of the last ten.
pub fn draw(
    path: &str,
    caption: &str,
    curves: &[(String, &[f64])],
) -> Result<(), Box<dyn std::error::Error>> {
    let smooth = |losses: &[f64]| -> Vec<f64> {
        let mean = |i: usize| losses[i.saturating_sub(9)..=i].iter().sum::<f64>() / (i + 1).min(10) as f64;
        (0..losses.len()).map(mean).collect()
    };
    let area = SVGBackend::new(path, (720, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let steps = curves.iter().map(|(_, losses)| losses.len()).max().unwrap_or(0);
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0..steps, 0.0..2.5f64)?;
    chart.configure_mesh().x_desc("step").y_desc("cross entropy").draw()?;
    for (i, (name, losses)) in curves.iter().enumerate() {
        let color = Palette99::pick(i).to_rgba();
        let points = smooth(losses).into_iter().enumerate();
        let line = chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
        let key = move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], color.stroke_width(2));
        line.label(name.clone()).legend(key);
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}
