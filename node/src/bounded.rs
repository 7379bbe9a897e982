//! A listener that never takes the files away that the chain itself needs.
//!
//! Every connection is an open file, and a process may have some 1,000 of them. Whoever opens as
//! many, and sends nothing, must not keep the node from writing a block.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use prometheus_client::metrics::gauge::Gauge;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// A connection is closed after this time without a byte in either direction: its client may be
/// gone without closing it. No answer takes as long.
const IDLE: Duration = Duration::from_mins(30);

/// Accepts connections up to a number. Others wait for one of them to end.
#[derive(Debug)]
pub(crate) struct Bounded {
    listener: TcpListener,
    places: Arc<Semaphore>,
    idle: Duration,
    open: Gauge,
}

impl Bounded {
    /// * `most`: connections at once.
    pub(crate) fn new(listener: TcpListener, most: usize) -> Self {
        let (places, open) = (Arc::new(Semaphore::new(most)), Gauge::default());
        Self { listener, places, idle: IDLE, open }
    }

    /// The same, which says in `open` how many connections there are.
    pub(crate) fn counted(self, open: Gauge) -> Self {
        Self { open, ..self }
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // Nobody closes the semaphore, so that there is always a place in the end.
        let permit = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let end = Box::pin(tokio::time::sleep(self.idle));
        let place = Place { _permit: permit, open: self.open.clone() };
        place.open.inc();
        (Connection { stream, end, idle: self.idle, _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection, which has its place until it is closed.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    /// When it is closed unless a byte comes or goes.
    end: Pin<Box<Sleep>>,
    idle: Duration,
    _place: Place,
}

/// Given back when it is dropped.
#[derive(Debug)]
struct Place {
    _permit: Option<OwnedSemaphorePermit>,
    open: Gauge,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.dec();
    }
}

impl Connection {
    fn watched<T>(
        &mut self,
        context: &mut Context<'_>,
        done: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.end.as_mut().reset(Instant::now() + self.idle);
            return done;
        }
        self.end.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watched(context, done)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, done)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream as Client;

    use super::*;

    async fn bounded(most: usize) -> (Bounded, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (Bounded::new(listener, most), address)
    }

    /// Reads a byte.
    async fn read(connection: &mut Connection) -> io::Result<u8> {
        let mut byte = [0];
        let mut buffer = ReadBuf::new(&mut byte);
        poll_fn(|context| Pin::new(&mut *connection).poll_read(context, &mut buffer)).await?;
        Ok(byte[0])
    }

    #[tokio::test]
    async fn so_many_are_accepted_and_the_next_when_one_has_ended() {
        let (mut bounded, address) = bounded(2).await;
        let mut clients = [(); 3].map(|()| Client::connect(address).unwrap());
        let (first, _) = bounded.accept().await;
        let (_second, _) = bounded.accept().await;
        assert!(bounded.places.try_acquire().is_err());
        assert_eq!(bounded.open.get(), 2);
        drop(first);
        assert_eq!(bounded.open.get(), 1);
        let (mut third, _) = bounded.accept().await;
        clients[2].write_all(b"?").unwrap();
        assert_eq!(read(&mut third).await.unwrap(), b'?');
        let written = poll_fn(|context| Pin::new(&mut third).poll_write(context, b"!"));
        assert_eq!(written.await.unwrap(), 1);
        let mut byte = [0];
        clients[2].read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"!");
    }

    #[tokio::test]
    async fn a_connection_without_a_byte_ends() {
        let (mut bounded, address) = bounded(1).await;
        bounded.idle = Duration::from_millis(1);
        let _client = Client::connect(address).unwrap();
        let (mut connection, _) = bounded.accept().await;
        assert_eq!(read(&mut connection).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
