//! What stands for the backend in a build without libtorch.

use ivy_core::backend::BackendRef;
use ivy_core::{ErrorKind, Result};

pub(crate) fn create(place: Option<&str>) -> Result<BackendRef> {
    Err(ErrorKind::BackendUnavailable {
        name: place.map_or_else(|| "torch".into(), |place| format!("torch:{place}")),
        reason: "this build has no libtorch".into(),
        remedy: "Run ./setup-libtorch.sh and build with `--features torch`".into(),
    }
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_to_do() {
        for (place, name) in [(None, "torch"), (Some("cuda:0"), "torch:cuda:0")] {
            let error = create(place).unwrap_err();
            let ErrorKind::BackendUnavailable { name: said, reason, remedy } = error.kind() else {
                panic!("{error}")
            };
            assert_eq!(said, name);
            assert!(reason.contains("no libtorch") && remedy.contains("./setup-libtorch.sh"));
        }
    }
}
