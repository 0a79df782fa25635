//! Text that cannot become markup, and tables.

use std::fmt::Write as _;

/// The text with the five characters that mean something in HTML and SVG replaced.
pub(super) fn escape(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            '"' => output.push_str("&quot;"),
            '\'' => output.push_str("&#39;"),
            c => output.push(c),
        }
    }
    output
}

/// A cell's text, not yet escaped, and its class in the style sheet (none if empty).
pub(super) struct Cell(pub(super) String, pub(super) &'static str);

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self(text, "")
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self(text.to_owned(), "")
    }
}

/// A number, set to the right.
pub(super) fn right(text: impl Into<String>) -> Cell {
    Cell(text.into(), "n")
}

/// A table in a box that scrolls sideways if it must. A heading that starts with `#` is over numbers.
pub(super) fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    text("", headings, rows)
}

/// A table of which a phone shows each row as a list of its cells.
pub(super) fn cards(headings: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    text(" class=\"cards\"", headings, rows)
}

fn text(class: &str, headings: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    let mut text = format!("<div class=\"scroll\" tabindex=\"0\"><table{class}>\n<thead><tr>");
    for heading in headings {
        let number = heading.strip_prefix('#');
        push_cell(
            &mut text,
            "th",
            number.unwrap_or(heading),
            if number.is_some() { "n" } else { "" },
            "",
        );
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for (Cell(value, class), heading) in row.into_iter().zip(headings) {
            push_cell(&mut text, "td", &value, class, heading.trim_start_matches('#'));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table></div>\n");
    text
}

/// `heading` stands before the value where the table has no head.
fn push_cell(text: &mut String, tag: &str, value: &str, class: &str, heading: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let heading = match heading {
        "" => String::new(),
        heading => format!(" data-h=\"{}\"", escape(heading)),
    };
    let _ = write!(text, "<{tag}{class}{heading}>{}</{tag}>", escape(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_markup() {
        assert_eq!(escape("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(escape("10⁹"), "10⁹");
    }

    #[test]
    fn cells_are_escaped_and_aligned() {
        let text = table(&["<a>", "#n"], [vec![Cell::from("<script>"), right("1.2")]]);
        assert!(text.contains("<th>&lt;a&gt;</th><th class=\"n\">n</th>"), "{text}");
        assert!(
            text.contains(
                "<td data-h=\"&lt;a&gt;\">&lt;script&gt;</td><td class=\"n\" data-h=\"n\">1.2</td>"
            ),
            "{text}"
        );
    }
}
