//! How many bins a histogram has, by rules of the data: of the numbers on the host.
//!
//! Scott 1979, Freedman and Diaconis 1981, Sturges 1926, Doane 1976, Rice, Stone 1984, and the square root.

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

fn deviation(x: &[f64]) -> f64 {
    let m = mean(x);
    (x.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / x.len() as f64).sqrt()
}

fn range(x: &[f64]) -> f64 {
    let greatest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    greatest - least
}

/// The element at a fraction of the sorted ones.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (sorted[high] - sorted[low]) * part
}

fn freedman_diaconis(x: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    2.0 * (quantile(&sorted, 0.75) - quantile(&sorted, 0.25)) / (x.len() as f64).cbrt()
}

fn scott(x: &[f64]) -> f64 {
    (24.0 * std::f64::consts::PI.sqrt() / x.len() as f64).cbrt() * deviation(x)
}

fn sturges(x: &[f64]) -> f64 {
    range(x) / ((x.len() as f64).log2() + 1.0)
}

fn doane(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    if x.len() < 3 {
        return 0.0;
    }
    let spread = (6.0 * (n - 2.0) / ((n + 1.0) * (n + 3.0))).sqrt();
    let (m, sigma) = (mean(x), deviation(x));
    if sigma <= 0.0 {
        return 0.0;
    }
    let skew = x.iter().map(|v| ((v - m) / sigma).powi(3)).sum::<f64>() / n;
    range(x) / (1.0 + n.log2() + (1.0 + skew.abs() / spread).log2())
}

/// The width that leaves the least estimated loss, of as many bins as a hundred, or the root of the number of elements.
fn stone(x: &[f64], low: f64, high: f64) -> f64 {
    let n = x.len() as f64;
    let whole = range(x);
    if x.len() <= 1 || whole == 0.0 {
        return 0.0;
    }
    let loss = |bins: usize| {
        let width = whole / bins as f64;
        let mut counts = vec![0.0f64; bins];
        for v in x {
            let place = ((v - low) / (high - low) * bins as f64) as usize;
            counts[place.min(bins - 1)] += 1.0;
        }
        let squares: f64 = counts.iter().map(|c| (c / n) * (c / n)).sum();
        (2.0 - (n + 1.0) * squares) / width
    };
    let most = 100.max(n.sqrt() as usize);
    let best = (1..=most).map(|bins| (loss(bins), bins)).reduce(|a, b| if b.0 < a.0 { b } else { a });
    whole / best.map_or(1, |(_, bins)| bins) as f64
}

/// The width of a bin by the rule of a name; `None` for an unknown one.
pub(super) fn width(rule: &str, x: &[f64], low: f64, high: f64) -> Option<f64> {
    Some(match rule {
        "auto" => {
            let (wide, narrow) = (freedman_diaconis(x), sturges(x));
            // Beside many equal elements the quartiles say nothing.
            let least = range(x) / (x.len() as f64).sqrt() / 2.0;
            let wide = wide.max(least);
            wide.min(narrow)
        }
        "fd" => freedman_diaconis(x),
        "doane" => doane(x),
        "scott" => scott(x),
        "stone" => stone(x, low, high),
        "rice" => range(x) / (2.0 * (x.len() as f64).cbrt()),
        "sturges" => sturges(x),
        "sqrt" => range(x) / (x.len() as f64).sqrt(),
        _ => return None,
    })
}
