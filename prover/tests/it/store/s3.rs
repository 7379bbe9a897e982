//! The engine on object storage, on a server of S3.

use std::sync::Arc;

use lightproof_prover::chain::config::CACHE_BYTES;
use lightproof_prover::error::StoreError;
use lightproof_prover::store::object::Object;
use lightproof_prover::store::object::follow::Follower;
use lightproof_prover::store::{self, Store, Table};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;

use super::support::{self, BUCKET, S3};
use super::{TABLES, conforms, keeps_files};

const TABLE: Table = TABLES[0];

fn bucket(server: &S3) -> Arc<dyn ObjectStore> {
    // It fails where another test has installed the provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = AmazonS3Builder::new().with_bucket_name(BUCKET);
    let builder = server.environment().into_iter().fold(builder, |builder, (name, value)| {
        builder.with_config(name.to_lowercase().parse().unwrap(), value)
    });
    Arc::new(builder.build().unwrap())
}

fn open(server: &S3, name: &str) -> Object {
    Object::on(bucket(server), &name.into(), CACHE_BYTES).unwrap()
}

#[test]
fn the_engine_conforms_on_s3() {
    let Some(program) = support::program() else { return };
    let server = S3::start(&program);
    conforms(50, |before| {
        drop(before);
        Box::new(open(&server, "conforms"))
    });
    keeps_files(&*open(&server, "files").blobs("system"), false);
}

#[test]
fn of_two_writers_on_s3_the_first_is_fenced_and_readers_see_the_second() {
    let Some(program) = support::program() else { return };
    let server = S3::start(&program);
    let put = |store: &Object, key| store::write(store, |batch| batch.put(TABLE, key, b"value"));
    let first = open(&server, "writers");
    put(&first, b"one").unwrap();
    let second = open(&server, "writers");
    put(&second, b"two").unwrap();
    let refused: Result<(), StoreError> = put(&first, b"three");
    assert!(matches!(refused, Err(StoreError::Fenced)), "{refused:?}");
    let reader = Follower::on(bucket(&server), &"writers".into(), CACHE_BYTES).unwrap();
    let found = [&b"one"[..], b"two", b"three"]
        .map(|key| reader.reader().unwrap().get(TABLE, key).unwrap().is_some());
    assert_eq!(found, [true, true, false]);
    put(&second, b"four").unwrap();
    assert!(reader.reader().unwrap().get(TABLE, b"four").unwrap().is_none());
    reader.refresh().unwrap();
    assert!(reader.reader().unwrap().get(TABLE, b"four").unwrap().is_some());
}
