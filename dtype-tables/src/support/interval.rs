//! Version keys as intervals of the version line, so that holding, overlap, shadowing and
//! gaps are one arithmetic.

use super::version::{Phase, Point};

/// A cut of the version line, just before or just after a point; `Low` and `High` are its ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cut {
    Low,
    /// `after` sorts after `before` since `false < true`.
    At(Point, bool),
    High,
}

impl Cut {
    pub(crate) fn before(point: &Point) -> Self {
        Cut::At(point.clone(), false)
    }

    pub(crate) fn after(point: &Point) -> Self {
        Cut::At(point.clone(), true)
    }
}

/// The versions between two cuts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: Cut,
    pub(crate) high: Cut,
}

impl Interval {
    pub(crate) fn contains(&self, point: &Point) -> bool {
        let place = Cut::before(point);
        self.low <= place && place < self.high
    }

    pub(crate) fn overlaps(&self, other: &Interval) -> bool {
        (&self.low).max(&other.low) < (&self.high).min(&other.high)
    }

    /// Whether a release, not only pre-releases of one, lies inside. Between two different
    /// numeric parts there is always a release (`2.2.0.1` after `2.2`).
    pub(crate) fn holds_release(&self) -> bool {
        let (Cut::At(low, _), Cut::At(high, _)) = (&self.low, &self.high) else { return true };
        let release = Point::new(low.release.clone(), Phase::RELEASE);
        low.release != high.release || self.contains(&release)
    }
}

/// What the intervals leave of `whole`, in order.
pub(crate) fn gaps(whole: Interval, covered: &[Interval]) -> Vec<Interval> {
    let mut sorted: Vec<&Interval> = covered.iter().collect();
    sorted.sort_by(|a, b| a.low.cmp(&b.low));
    let (mut low, mut out) = (whole.low, Vec::new());
    for i in sorted {
        if i.low > low && low < whole.high {
            out.push(Interval { low: low.clone(), high: i.low.clone().min(whole.high.clone()) });
        }
        low = low.max(i.high.clone());
    }
    if low < whole.high {
        out.push(Interval { low, high: whole.high });
    }
    out
}
