//! Which of a framework's classes of errors an error is.

use ivy_core::ErrorKind;

/// The name of the class, as the framework has it: `AxisError`, `RuntimeError`. Data: `errors.tsv`, in which the first
/// row that fits says it.
pub fn error_class(frontend: &str, error: &ErrorKind) -> &'static str {
    let kind = error.name();
    let fault = match error {
        ErrorKind::FrontendCall { fault, .. } => format!("{kind}:{fault}"),
        _ => kind.to_string(),
    };
    let rows = include_str!("errors.tsv").lines().filter(|line| !line.starts_with('#'));
    let class = rows.filter_map(|line| {
        let mut cells = line.split('\t');
        let (of, kinds, class) = (cells.next()?, cells.next()?, cells.next()?);
        let applies = of == "*" || of.split(' ').any(|f| f == frontend);
        (applies && kinds.split(' ').any(|k| k == fault || k == kind || k == "*")).then_some(class)
    });
    { class }.next().unwrap_or("RuntimeError")
}
