//! Versions, version keys and their resolution, against Ivy's own answers.

use ivy_dtype_tables::support::{How, Version, VersionKey, resolve};
use proptest::prelude::*;
use serde_json::Value;

fn version(text: &str) -> Version {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn key(text: &str) -> VersionKey {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn ivys_cases_but_for_real_version_order() {
    let data: Value = serde_json::from_str(include_str!("../data/version_keys.json")).unwrap();
    let mut changed = Vec::new();
    let mut equal = 0;
    for case in data["cases"].as_array().unwrap() {
        let pairs: Vec<(&str, &str)> = case[0]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| (p[0].as_str().unwrap(), p[1].as_str().unwrap()))
            .collect();
        let keys: Vec<VersionKey> = pairs.iter().map(|p| key(p.0)).collect();
        let at = case[1].as_str().unwrap();
        let ours = match resolve(&keys, &version(at)) {
            Some(resolved) => pairs[resolved.index].1,
            None => "err:ValueError: No version found in the dictionary",
        };
        let ivys = case[2].as_str().unwrap();
        if ours == ivys {
            equal += 1;
        } else {
            let names: Vec<&str> = pairs.iter().map(|p| p.0).collect();
            let ivys = ivys.split(": ").next().unwrap();
            changed.push(format!("{} at {at}: {ivys} -> {ours}", names.join(", ")));
        }
    }
    assert_eq!(changed, CHANGED);
    assert_eq!(equal + changed.len(), 208);
}

/// The cases that S5 changes: a bound covers what begins with it, 1.0 is 1.0.0, and a
/// pre-release is a version.
const CHANGED: &[&str] = &[
    "1.0 and below, 1.1 to 1.4, 1.5 and above at 1.0.0: C -> A",
    "1.0 and below, 1.1 to 1.4, 1.5 and above at 1.0.1: C -> A",
    "1.0 and below, 1.1 to 1.4, 1.5 and above at 1.4.0: C -> B",
    "1.0 and below, 1.1 to 1.4, 1.5 and above at 1.4.1: C -> B",
    "1.0 and below, 1.1 to 1.4, 1.5 and above at 1.4.5: C -> B",
    "1.0 and below, 1.1 to 1.4, 1.5 and above at 2.2rc1: err:ValueError -> C",
    "2.2 and below at 2.2rc1: err:ValueError -> A",
    "2.4.2 and below, 2.5.0 and above at 2.2rc1: err:ValueError -> A",
    "1.5 and above, 1.0 and below at 2.2rc1: err:ValueError -> C",
    "1.26.3 and below, 1.26.4 and above at 2.2rc1: err:ValueError -> B",
    "2.0.0 and below, 1.0.0 and below at 2.2rc1: err:ValueError -> B",
    "1.0.0, 1.0.0 and above at 1.0: F -> E",
    "1.0.0, 1.0.0 and above at 2.2rc1: err:ValueError -> F",
];

#[test]
fn versions_order_as_releases_do() {
    let ascending = [
        "0.9",
        "1.0.dev1",
        "1.0a0",
        "1.0a0.post1",
        "1.0a1",
        "1.0b0",
        "1.0rc1.dev2",
        "1.0rc1",
        "1.0",
        "1.0.post1.dev1",
        "1.0.post1",
        "1.0.0.1",
        "1.0.1",
        "1.4",
        "1.25.2",
        "1.26.4",
        "1.26.10",
        "2",
        "2.0.1",
        "2.2rc1",
        "2.2",
        "2.13.0",
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(version(a).cmp(&version(b)), i.cmp(&j), "{a} and {b}");
        }
    }
    for (a, b) in [
        ("2.0", "2.0.0"),
        ("2.13.0+cu130", "2.13"),
        ("2.13.0+cpu.1-a_b", "2.13.0"),
        ("2.1.0-rc.1", "2.1.0rc1"),
        ("2.1.0_alpha", "2.1a0"),
        ("2.1.0.PRE3", "2.1rc3"),
        ("0.20.0-preview.2", "0.20rc2"),
        ("1.0c1", "1.0rc1"),
        ("1.0-beta2", "1.0b2"),
        ("0.15.2.", "0.15.2"),
        ("01.02", "1.2"),
    ] {
        assert_eq!(version(a), version(b), "{a} and {b}");
        assert_eq!(version(a).to_string(), a);
    }
    assert_eq!((version("2.2").parts(), version("2.2.0").parts()), (2, 3));
    assert_eq!((version("2.13").part(1), version("2.13").part(7)), (13, 0));
}

#[test]
fn what_is_no_version_says_why() {
    let numbers = "it begins with numbers joined by dots";
    let suffix = "a, b, rc, post or dev with a number, or +BUILD, may follow the numbers";
    let build = "letters, digits, `.`, `-` and `_` may follow `+`";
    for (text, rule) in [
        ("", numbers),
        ("v2", numbers),
        (".2", numbers),
        ("-1", numbers),
        (" 2.2", numbers),
        ("2.2 ", suffix),
        ("2..2", suffix),
        ("2.2..", suffix),
        ("2.2.+cpu.", ""),
        ("2.x", suffix),
        ("2.2.0nightly", suffix),
        ("2.2rc1x", suffix),
        ("2.2ab", suffix),
        ("2.2+", build),
        ("2.2+a b", build),
        ("2.2+a+b", build),
        ("99999999999999999999", "a part is too large"),
        ("18446744073709551615", "a part is too large"),
        ("1.0rc99999999999999999999", "a part is too large"),
    ] {
        match text.parse::<Version>() {
            Ok(v) => assert!(rule.is_empty(), "{v} parses"),
            Err(e) => assert_eq!(e.to_string(), format!("`{text}` is no version: {rule}")),
        }
    }
}

#[test]
fn bounds_cover_what_begins_with_them() {
    let holds: &[(&str, &[&str], &[&str])] = &[
        (
            "2.2 and below",
            &["0.1", "2.2", "2.2.0", "2.2.3", "2.2.post1", "2.2rc1", "2.2.4rc1"],
            &["2.3rc1", "2.3", "3"],
        ),
        ("2.2.0 and below", &["2.2", "2.2.0.5"], &["2.2.1rc1", "2.2.1"]),
        ("2.2 and above", &["2.2", "2.2.0", "2.2.1rc1", "3"], &["2.2rc1", "2.1.9"]),
        ("1.0 to 1.9", &["1.0", "1.9", "1.9.5", "1.9.0.1"], &["1.0rc1", "1.10", "0.9.9"]),
        ("2.2 to 2.2", &["2.2", "2.2.9"], &["2.2rc1", "2.3", "2.1"]),
        ("2.2", &["2.2", "2.2.0", "2.2.0+cu130", "2.2."], &["2.2.3", "2.2rc1", "2.2.post1"]),
        ("2.1rc1 and below", &["2.1a0", "2.1rc1"], &["2.1rc2", "2.1"]),
        ("2.1rc1 and above", &["2.1rc1", "2.1"], &["2.1b9"]),
        ("2.1rc1 to 2.1", &["2.1rc1", "2.1.7"], &["2.1b9", "2.2a0"]),
        ("0 and above", &["0", "0.0.1", "9"], &[]),
    ];
    for (text, inside, outside) in holds {
        let key = key(text);
        assert_eq!(key.to_string(), *text);
        inside.iter().for_each(|v| assert!(key.contains(&version(v)), "{text} holds {v}"));
        outside.iter().for_each(|v| assert!(!key.contains(&version(v)), "{text} does not hold {v}"));
    }
    assert_ne!(key("2.2 and below"), key("2.2.0 and below"));
    assert_ne!(key("1 to 2.2"), key("1 to 2.2.0"));
    assert_eq!(key("2.2 and above"), key("2.2.0 and above"));
    assert_eq!(key("2.2"), key("2.2.0"));
}

#[test]
fn what_is_no_key_says_why() {
    let forms = "expected `X`, `X and above`, `X and below` or `X to Y`";
    let numbers = |text: &str| format!("`{text}` is no version: it begins with numbers joined by dots");
    for (text, rule) in [
        ("", numbers("")),
        ("2.2 and bellow", forms.to_string()),
        (
            "2.2  and below",
            "`2.2 ` is no version: a, b, rc, post or dev with a number, or +BUILD, may follow the numbers"
                .into(),
        ),
        ("and below", forms.to_string()),
        (" and below", numbers("")),
        ("to 2.2", forms.to_string()),
        ("1.0 to ", numbers("")),
        ("1.4 to 1.1", "the range ends before it begins".into()),
        ("1.0 to 1.0rc1", "the range ends before it begins".into()),
        ("v1 to v2", numbers("v1")),
    ] {
        let error = text.parse::<VersionKey>().expect_err(text);
        assert_eq!(error.to_string(), format!("{text}: {rule}"));
    }
}

#[test]
fn the_last_key_says_whether_the_backend_is_newer() {
    let at = |keys: &[&str], v: &str| {
        let keys: Vec<VersionKey> = keys.iter().map(|k| key(k)).collect();
        let resolved = resolve(&keys, &version(v)).unwrap();
        (resolved.index, resolved.how)
    };
    let (newer, between) = (How::LastKey { older: true }, How::LastKey { older: false });
    assert_eq!(at(&["2.2 and below"], "2.13.0"), (0, newer));
    assert_eq!(at(&["2.2 and below"], "2.2.2"), (0, How::Range));
    assert_eq!(at(&["2.0.1 and below", "1.12.1"], "1.12.1"), (1, How::Exact));
    assert_eq!(at(&["2.0.1 and below", "1.12.1"], "2.13"), (1, newer));
    assert_eq!(at(&["1.0 to 1.4", "2.0 and above"], "0.5"), (1, between));
    assert_eq!(at(&["1.0 to 1.4", "1.6"], "1.5"), (1, between));
    assert_eq!(at(&["2.4.2 and below", "2.5.0 and above"], "2.5.0rc1"), (1, between));
    assert_eq!(at(&["1.1 and below", "1.0 and below"], "1.0"), (0, How::Range));
}

fn any_version() -> impl Strategy<Value = String> {
    let suffix = prop::sample::select(vec!["", "rc1", "a0", ".dev2", ".post1", "+cpu", "."]);
    (prop::collection::vec(0u8..4, 1..4), suffix)
        .prop_map(|(parts, suffix)| parts.iter().map(u8::to_string).collect::<Vec<_>>().join(".") + suffix)
}

fn any_key() -> impl Strategy<Value = String> {
    (any_version(), any_version(), 0..4).prop_map(|(a, b, form)| {
        let (low, high) = if version(&a) <= version(&b) { (&a, &b) } else { (&b, &a) };
        match form {
            0 => a,
            1 => format!("{a} and above"),
            2 => format!("{a} and below"),
            _ => format!("{low} to {high}"),
        }
    })
}

proptest! {
    #[test]
    fn any_text_parses_or_errs(text in ".{0,24}", word in "[0-9a-z. +]{0,16}") {
        for text in [text, word] {
            if let Ok(v) = text.parse::<Version>() {
                prop_assert_eq!(v.to_string(), text.clone());
            }
            if let Ok(k) = text.parse::<VersionKey>() {
                prop_assert_eq!(k.to_string(), text);
            }
        }
    }

    #[test]
    fn resolution_follows_its_rule(keys in prop::collection::vec(any_key(), 0..5), at in any_version()) {
        let keys: Vec<VersionKey> = keys.iter().map(|k| key(k)).collect();
        let at = version(&at);
        let held: Vec<usize> = (0..keys.len()).filter(|&i| keys[i].contains(&at)).collect();
        match resolve(&keys, &at) {
            None => prop_assert!(keys.is_empty()),
            Some(r) => match r.how {
                How::Exact => prop_assert!(keys[r.index].is_exact() && held.contains(&r.index)),
                How::Range => {
                    prop_assert_eq!(Some(&r.index), held.first());
                    prop_assert!(held.iter().all(|&i| !keys[i].is_exact()));
                }
                How::LastKey { older } => {
                    prop_assert!(held.is_empty() && r.index == keys.len() - 1);
                    prop_assert_eq!(older, keys.iter().all(|k| k.is_older_than(&at)));
                }
            },
        }
    }

    #[test]
    fn bounds_are_intervals(a in any_version(), v in any_version(), w in any_version()) {
        let (low, high) = if version(&v) <= version(&w) { (version(&v), version(&w)) } else { (version(&w), version(&v)) };
        let (above, below) = (key(&format!("{a} and above")), key(&format!("{a} and below")));
        prop_assert!(!above.contains(&low) || above.contains(&high));
        prop_assert!(!below.contains(&high) || below.contains(&low));
        prop_assert!(above.contains(&version(&a)) && below.contains(&version(&a)));
        prop_assert!(above.overlaps(&below));
        prop_assert!(above.contains(&v.parse().unwrap()) || below.contains(&v.parse().unwrap()));
    }

    #[test]
    fn two_keys_that_hold_a_version_overlap(a in any_key(), b in any_key(), v in any_version()) {
        let (a, b, v) = (key(&a), key(&b), version(&v));
        prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
        prop_assert!(a.overlaps(&b) || !(a.contains(&v) && b.contains(&v)));
    }

    #[test]
    fn order_is_total_and_hash_agrees(a in any_version(), b in any_version(), c in any_version()) {
        use std::hash::{BuildHasher, RandomState};
        let (a, b, c) = (version(&a), version(&b), version(&c));
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert!(!(a <= b && b <= c) || a <= c);
        let state = RandomState::new();
        prop_assert!(a != b || state.hash_one(&a) == state.hash_one(&b));
    }
}
