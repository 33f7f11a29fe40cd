//! The part of a long list of cases that a run takes, as `IVY_TEST_PART=K/N` says: the K-th of N, all where it is not set.

/// K and N; 1 of 1 where nothing is set.
fn part() -> (usize, usize) {
    let Ok(text) = std::env::var("IVY_TEST_PART") else { return (1, 1) };
    let part = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    part.filter(|(k, n)| (1..=*n).contains(k)).unwrap_or_else(|| {
        panic!("IVY_TEST_PART is {text:?}; it is K/N, with K from 1 to N");
    })
}

/// Whether the case of this index in its list belongs to the run.
///
/// # Panics
///
/// Where `IVY_TEST_PART` is not two numbers `K/N` with `1 <= K <= N`.
pub fn in_part(index: usize) -> bool {
    let (k, n) = part();
    index % n == k - 1
}

/// How many of so many random or counted cases a run takes, at least one.
///
/// # Panics
///
/// As [`in_part`].
pub fn share(cases: u32) -> u32 {
    let parts = part().1 as u32;
    cases.div_ceil(parts).max(1)
}

/// How many cases a run sees at least, where a whole one sees more than so many: parts are not equally long, so it is three fifths of
/// its share there.
///
/// # Panics
///
/// As [`in_part`].
pub fn least(whole: u32) -> u32 {
    match part().1 as u32 {
        1 => whole,
        parts => whole * 3 / (5 * parts),
    }
}

/// Counts the cases of nested loops, whose innermost length should have no factor in common with the number of parts.
#[derive(Debug, Default)]
pub struct Counted(usize);

impl Counted {
    /// Whether the next case belongs to the run.
    ///
    /// # Panics
    ///
    /// As [`in_part`].
    pub fn takes_next(&mut self) -> bool {
        self.0 += 1;
        in_part(self.0 - 1)
    }
}
