//! The part of a long list of cases that a run takes, as `IVY_TEST_PART=K/N` says: the K-th of N, all where it is not set.

/// Whether the case of this index in its list belongs to the run.
///
/// # Panics
///
/// Where `IVY_TEST_PART` is not two numbers `K/N` with `1 <= K <= N`.
pub fn in_part(index: usize) -> bool {
    let Ok(text) = std::env::var("IVY_TEST_PART") else { return true };
    let part = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let (k, n): (usize, usize) = part.filter(|(k, n)| (1..=*n).contains(k)).unwrap_or_else(|| {
        panic!("IVY_TEST_PART is {text:?}; it is K/N, with K from 1 to N");
    });
    index % n == k - 1
}
