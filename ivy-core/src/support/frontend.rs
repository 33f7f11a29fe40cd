//! Questions about a frontend's functions, which the declared tables answer (spec I-42).

use super::tables::{self, Device, How, Version};
use crate::{DtypeSet, ErrorKind, Result};

/// What a frontend's function takes at a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontendSupport {
    /// The frontend.
    pub frontend: &'static str,
    /// Its version.
    pub version: String,
    /// The function's path below the framework's namespace.
    pub function: &'static str,
    /// The dtypes that it takes.
    pub supported: DtypeSet,
    /// The dtypes that it refuses.
    pub unsupported: DtypeSet,
    /// The row that says so: file, line, and what is written there.
    pub row: String,
    /// Whether the row is about an older version than the one asked about.
    pub older: bool,
}

/// Asks what a frontend's function takes: `NAME` or `NAME@VERSION`, the version that Ivy has for the frontend if none is
/// given. The function is a path, or the last part of one.
///
/// ```
/// use ivy::support::frontend_support;
/// let softmax = frontend_support("softmax", "torch@2.2")?;
/// assert_eq!((softmax.function, softmax.unsupported), ("nn.functional.softmax", ivy::Dtype::FLOAT16.into()));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for a frontend or a version that is none, a function that the frontend's table has no
/// row for, and a name that may mean several.
pub fn frontend_support(function: &str, frontend: &str) -> Result<FrontendSupport> {
    let wrong = |argument, value: String, rule| {
        ErrorKind::InvalidArgument { function: "frontend_support", argument, value, rule }.into()
    };
    let (name, version) = frontend.split_once('@').map_or((frontend, None), |(name, v)| (name, Some(v)));
    let Some(table) = tables::frontend_table(name) else {
        let known: Vec<&str> = tables::FRONTENDS.iter().map(|f| f.0).collect();
        return Err(wrong(
            "frontend",
            format!("{name} ({} have tables)", known.join(", ")),
            "a frontend with a table",
        ));
    };
    let version = version.or_else(|| tables::default_version(name)).unwrap_or_default();
    let parsed: Version = version.parse().map_err(|e| {
        wrong("frontend", format!("{frontend} ({e})"), "a version after `@`, such as torch@2.2")
    })?;
    let found = tables::frontend_functions(table, function);
    let path = match found[..] {
        [path] => path,
        [] => return Err(wrong("function", function.into(), "the frontend's table has no row for it")),
        _ => {
            let value = format!("{function} ({})", found.join(", "));
            return Err(wrong("function", value, "several functions end so; give the path of one"));
        }
    };
    let Some(answer) = table.lookup(path, Device::Cpu, &parsed) else {
        return Err(wrong("function", function.into(), "the frontend's table has no row for it"));
    };
    let supported = DtypeSet::from_bits(answer.supported(tables::ALL_DTYPES));
    let row = answer.row;
    Ok(FrontendSupport {
        frontend: &table.backend,
        version: version.into(),
        function: path,
        supported,
        unsupported: DtypeSet::ALL - supported,
        row: format!("{}:{}: {} {} (for {})", table.file, row.line, row.form, row.written, row.versions),
        older: matches!(answer.how, How::LastKey { older: true }),
    })
}
