//! Reports: JSON for programs, one HTML page for people.

mod html;
mod json;

pub use html::html;
pub use json::json;
