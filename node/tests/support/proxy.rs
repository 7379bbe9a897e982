//! A proxy before a server of HTTP that fails as object storage does: it refuses, is slow, says
//! nothing, or loses a part of a request or of an answer.

use std::io::{BufRead as _, BufReader, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lightproof_prover::rng::Rng;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is refused with this status, and a header that says when to try again, if it says so.
    Refused(u16, Option<u8>),
    /// It is done, and the answer says that it failed.
    Denied,
    /// It waits for so many milliseconds first.
    Slow(u64),
    /// The server gets a part of it.
    Upload,
    /// The client gets a part of the answer.
    Answer,
    /// It is done, and the client gets no answer.
    Lost,
}

/// Faults of a store that works on the whole.
pub(crate) const FAULTS: [Fault; 9] = [
    Fault::Refused(500, None),
    Fault::Refused(503, None),
    Fault::Refused(503, Some(1)),
    Fault::Refused(429, Some(1)),
    Fault::Denied,
    Fault::Slow(150),
    Fault::Upload,
    Fault::Answer,
    Fault::Lost,
];

/// What the proxy does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mode {
    /// It hands on everything.
    Sound,
    /// One of so many requests meets a fault.
    Seldom(u64),
    /// All of them meet this one.
    Always(Fault),
    /// Nobody is answered, whatever was asked before.
    Silent,
}

struct Shared {
    server: SocketAddr,
    mode: Mode,
    rng: Rng,
    /// How often each of [`FAULTS`] happened.
    met: [u64; FAULTS.len()],
}

/// The proxy; it ends with the process.
#[derive(Clone)]
pub(crate) struct Faulty {
    pub(crate) address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

impl Faulty {
    pub(crate) fn before(server: SocketAddr, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (mode, rng, met) = (Mode::Sound, Rng::new(seed, "faulty", 0), Default::default());
        let shared = Arc::new(Mutex::new(Shared { server, mode, rng, met }));
        let proxy = Self { address, shared };
        let serving = proxy.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let serving = serving.clone();
                // A connection ends with its first error, as the faults have it.
                std::thread::spawn(move || serving.relay(client));
            }
        });
        proxy
    }

    pub(crate) fn set(&self, mode: Mode) {
        self.with(|shared| shared.mode = mode);
    }

    /// How often each of [`FAULTS`] happened.
    pub(crate) fn met(&self) -> [u64; FAULTS.len()] {
        self.with(|shared| shared.met)
    }

    fn with<T>(&self, work: impl FnOnce(&mut Shared) -> T) -> T {
        work(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the next request meets.
    fn fault(&self) -> Option<Fault> {
        loop {
            let mode = self.with(|shared| shared.mode);
            match mode {
                Mode::Sound => return None,
                Mode::Always(fault) => return Some(fault),
                Mode::Silent => std::thread::sleep(Duration::from_millis(20)),
                Mode::Seldom(of) => {
                    return self.with(|shared| {
                        let at = shared.rng.one_in(of).then(|| shared.rng.below(9))?;
                        let at = usize::try_from(at).unwrap();
                        shared.met[at] += 1;
                        Some(FAULTS[at])
                    });
                }
            }
        }
    }

    fn relay(&self, client: TcpStream) -> Result<()> {
        let server = TcpStream::connect(self.with(|shared| shared.server))?;
        for stream in [&client, &server] {
            stream.set_nodelay(true)?;
        }
        let (mut requests, mut client) = (BufReader::new(client.try_clone()?), client);
        let (mut answers, mut server) = (BufReader::new(server.try_clone()?), server);
        while let Some(head) = head(&mut requests)? {
            let length = length(&head).unwrap_or(0);
            let mut body = vec![0; length];
            requests.read_exact(&mut body)?;
            let is_head = head.starts_with("HEAD ");
            let fault = self.fault();
            match fault {
                Some(Fault::Refused(status, wait)) => {
                    refuse(&mut client, is_head, status, wait)?;
                    continue;
                }
                Some(Fault::Slow(time)) => std::thread::sleep(Duration::from_millis(time)),
                Some(Fault::Upload) if length > 0 => {
                    server.write_all(head.as_bytes())?;
                    return server.write_all(&body[..length / 2]);
                }
                _ => {}
            }
            server.write_all(&[head.as_bytes(), &body].concat())?;
            let answer = answer(&mut answers, is_head)?;
            // Whoever falls silent does not answer what was asked before either.
            if matches!(self.with(|shared| shared.mode), Mode::Silent) {
                self.fault();
            }
            match fault {
                Some(Fault::Denied) => refuse(&mut client, is_head, 500, None)?,
                Some(Fault::Answer) => return client.write_all(&answer[..answer.len() * 3 / 4]),
                Some(Fault::Lost) => return Ok(()),
                _ => client.write_all(&answer)?,
            }
        }
        Ok(())
    }
}

fn refuse(client: &mut TcpStream, is_head: bool, status: u16, wait: Option<u8>) -> Result<()> {
    let wait = wait.map(|seconds| format!("retry-after: {seconds}\r\n")).unwrap_or_default();
    let body = if is_head { "" } else { "<Error><Code>SlowDown</Code></Error>" };
    let length = body.len();
    write!(client, "HTTP/1.1 {status} Refused\r\n{wait}content-length: {length}\r\n\r\n{body}")
}

/// Lines until the empty one; `None` at the end of the stream.
fn head(stream: &mut BufReader<TcpStream>) -> Result<Option<String>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(head))
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.clone().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn length(head: &str) -> Option<usize> {
    header(head, "content-length")?.parse().ok()
}

/// One answer as it came.
fn answer(stream: &mut BufReader<TcpStream>, is_head: bool) -> Result<Vec<u8>> {
    let head = head(stream)?.ok_or(std::io::ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    let mut answer = head.clone().into_bytes();
    if is_head || ["204", "304"].contains(&status) {
        return Ok(answer);
    }
    if let Some(length) = length(&head) {
        stream.by_ref().take(length as u64).read_to_end(&mut answer)?;
        return Ok(answer);
    }
    // Chunks, until the empty one.
    loop {
        let mut size = String::new();
        stream.read_line(&mut size)?;
        let length = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        answer.extend(size.as_bytes());
        stream.by_ref().take(length as u64 + 2).read_to_end(&mut answer)?;
        if length == 0 {
            return Ok(answer);
        }
    }
}
