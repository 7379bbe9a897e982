//! Lines on stderr: plain ones for people, JSON for programs that collect them.

use std::fmt::{self, Write as _};
use std::io;

use clap::ValueEnum;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Our crates' modules begin with this.
const OURS: &str = "lightproof";

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Json,
}

/// From here on events are written to stderr.
pub(super) fn start(format: Format, filter: Targets) {
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match format {
        Format::Text => lines.event_format(Plain).boxed(),
        Format::Json => lines.json().flatten_event(true).boxed(),
    };
    // Fails where there is a subscriber already, and there is none.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
}

/// Parses a level, which is for our own modules (others say no less than warnings), or a filter
/// such as `info,lightproof_node::push=debug`.
pub(super) fn filter(text: &str) -> Result<Targets, String> {
    if let Ok(level) = text.parse::<LevelFilter>() {
        let others = level.min(LevelFilter::WARN);
        return Ok(Targets::new().with_default(others).with_target(OURS, level));
    }
    text.parse().map_err(|error| format!("{error}; expected a level or TARGET=LEVEL,…"))
}

/// The message alone, in one line. Whatever else an event has is said in its message too.
struct Plain;

impl<S, N> FormatEvent<S, N> for Plain
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        if *metadata.level() == Level::ERROR {
            write!(writer, "error: ")?;
        }
        let mut text = String::new();
        if metadata.target().starts_with(OURS) {
            event.record(&mut Message(&mut text));
        } else {
            write!(text, "{}: ", metadata.target())?;
            context.format_fields(Writer::new(&mut text), event)?;
        }
        // Other nodes' words are in some messages: they make no line and no colour of their own.
        for character in text.chars() {
            if character.is_control() {
                write!(writer, "{}", character.escape_default())?;
            } else {
                writer.write_char(character)?;
            }
        }
        writeln!(writer)
    }
}

/// Takes the message of an event.
struct Message<'a>(&'a mut String);

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{value:?}");
        }
    }
}
