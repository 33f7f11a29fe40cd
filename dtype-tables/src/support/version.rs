//! Versions of backends: numeric parts of any number, pre-releases before their release.

use std::{cmp::Ordering, fmt, hash, str::FromStr};

/// Where a version stands among those of its release: pre-releases, the release, posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Phase {
    stage: (u8, u64),
    post: Option<u64>,
    /// `(0, n)` for `.devN`, else `(1, 0)`: a development version comes first.
    dev: (u8, u64),
}

impl Phase {
    /// Before every version of a release, its development versions included.
    pub(crate) const FLOOR: Phase = Phase { stage: (0, 0), post: None, dev: (0, 0) };
    /// The release itself.
    pub(crate) const RELEASE: Phase = Phase { stage: (RELEASE, 0), post: None, dev: (1, 0) };
}

const DEV: u8 = 1;
const RELEASE: u8 = 5;
const STAGES: [(&str, u8); 8] =
    [("alpha", 2), ("a", 2), ("beta", 3), ("b", 3), ("preview", 4), ("pre", 4), ("rc", 4), ("c", 4)];

/// A place on the line of all versions: release without trailing zeros, then the phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Point {
    pub(crate) release: Vec<u64>,
    pub(crate) phase: Phase,
}

impl Point {
    pub(crate) fn new(mut release: Vec<u64>, phase: Phase) -> Self {
        while release.last() == Some(&0) {
            release.pop();
        }
        Point { release, phase }
    }
}

/// A version as a backend states it, for example `2.13.0+cpu` or `0.11.1`.
///
/// Order and equality look at the meaning, [`Display`](fmt::Display) gives the text as written:
///
/// * any number of numeric parts, padded with zeros (`2.0 == 2.0.0`);
/// * `a`, `b`, `rc` (also `alpha`, `beta`, `c`, `pre`, `preview`) and `.dev` make a pre-release,
///   which precedes its release: `.dev1 < a0 < b1 < rc1 <` the release `< .post1`. A `-`, `_` or
///   `.` may stand before and after the letters, so `2.1.0-rc.1 == 2.1.0rc1`; no number is 0;
/// * what follows a `+` names a build and is ignored (`2.13.0+cu130 == 2.13.0`);
/// * one dot at the very end of the numeric parts is ignored, since Ivy's own table writes
///   `0.15.2.` for torchvision. Nothing may follow that dot.
///
/// ```
/// use ivy_dtype_tables::support::Version;
/// let v = |text: &str| text.parse::<Version>().unwrap();
/// assert!(v("1.26.10") > v("1.26.4"));
/// assert!(v("2.1.0rc1") < v("2.1") && v("2.1.0.dev7") < v("2.1.0a0"));
/// assert_eq!(v("2.13.0+cu130"), v("2.13"));
/// assert_eq!(v("0.15.2.").to_string(), "0.15.2.");
/// assert!("2.x".parse::<Version>().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    parts: usize,
    point: Point,
}

/// A text that is no version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionError {
    /// The text as given.
    pub text: String,
    /// What is wrong with it.
    pub rule: &'static str,
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no version: {}", self.text, self.rule)
    }
}

impl std::error::Error for VersionError {}

impl Version {
    /// How many numeric parts were written: 2 for `2.2`, 3 for `2.2.0`.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Numeric part `i`, 0 where none was written.
    pub fn part(&self, i: usize) -> u64 {
        self.point.release.get(i).copied().unwrap_or(0)
    }

    /// Whether it precedes the release of the same numeric parts.
    ///
    /// ```
    /// use ivy_dtype_tables::support::Version;
    /// assert!("2.1.0a0+git1".parse::<Version>().unwrap().is_prerelease());
    /// assert!(!"2.1.0.post1".parse::<Version>().unwrap().is_prerelease());
    /// ```
    pub fn is_prerelease(&self) -> bool {
        self.point.phase < Phase::RELEASE
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn point(&self) -> &Point {
        &self.point
    }

    /// The lowest place above everything that begins with the written parts: for `2.2` the
    /// place before the first pre-release of 2.3.
    pub(crate) fn end_of_prefix(&self) -> Point {
        let mut release: Vec<u64> = (0..self.parts).map(|i| self.part(i)).collect();
        if let Some(last) = release.last_mut() {
            *last += 1;
        }
        Point::new(release, Phase::FLOOR)
    }
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let error = |rule| VersionError { text: text.to_string(), rule };
        let (public, local) = text.split_once('+').map_or((text, None), |(p, l)| (p, Some(l)));
        if local.is_some_and(|l| {
            l.is_empty() || !l.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        }) {
            return Err(error("letters, digits, `.`, `-` and `_` may follow `+`"));
        }
        let lower = public.to_ascii_lowercase();
        let mut rest = lower.as_str();
        let mut release = Vec::new();
        loop {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return Err(error("it begins with numbers joined by dots"));
            }
            // One below the largest, so that the end of a prefix stays a number.
            let part = rest[..digits].parse::<u64>().ok().filter(|&n| n < u64::MAX);
            release.push(part.ok_or_else(|| error("a part is too large"))?);
            rest = &rest[digits..];
            match rest.strip_prefix('.') {
                Some("") => rest = "",
                Some(r) if r.as_bytes()[0].is_ascii_digit() => {
                    rest = r;
                    continue;
                }
                _ => {}
            }
            break;
        }
        let number = |n: Result<u64, ()>| n.map_err(|()| error("a part is too large"));
        let mut phase = Phase::RELEASE;
        for (word, stage) in STAGES {
            if let Some((n, r)) = suffix(rest, word) {
                phase.stage = (stage, number(n)?);
                rest = r;
                break;
            }
        }
        if let Some((n, r)) = suffix(rest, "post") {
            phase.post = Some(number(n)?);
            rest = r;
        }
        if let Some((n, r)) = suffix(rest, "dev") {
            phase.dev = (0, number(n)?);
            if phase.stage.0 == RELEASE && phase.post.is_none() {
                phase.stage = (DEV, 0);
            }
            rest = r;
        }
        if !rest.is_empty() {
            return Err(error("a, b, rc, post or dev with a number, or +BUILD, may follow the numbers"));
        }
        Ok(Version { text: text.to_string(), parts: release.len(), point: Point::new(release, phase) })
    }
}

/// `.word.7`, `-word7`, `word`: the number (0 if none, an error if too large) and what follows.
fn suffix<'a>(text: &'a str, word: &str) -> Option<(Result<u64, ()>, &'a str)> {
    let after = text.strip_prefix(['.', '-', '_']).unwrap_or(text).strip_prefix(word)?;
    let digits = after.strip_prefix(['.', '-', '_']).unwrap_or(after);
    let n = digits.bytes().take_while(u8::is_ascii_digit).count();
    if n > 0 {
        return Some((digits[..n].parse().map_err(drop), &digits[n..]));
    }
    // `a` must not be read out of a longer word.
    (!after.starts_with(|c: char| c.is_ascii_alphabetic())).then_some((Ok(0), after))
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.point.cmp(&other.point)
    }
}

impl hash::Hash for Version {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.point.hash(state);
    }
}
