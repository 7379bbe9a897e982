import { expect, test } from 'vitest'
import { circlesAmong } from '../lib/gates/circles.mjs'
import { parseRust, rustImports } from '../lib/gates/rust.mjs'

/** @param {Record<string, string[]>} imports */
function circles(imports) {
  const graph = new Map(Object.entries(imports).map(([file, to]) => [file, new Set(to)]))
  return circlesAmong([...graph.keys()], graph)
}

test('files that reach each other are a circle, with the imports among them', () => {
  const found = circles({
    'a.ts': ['b.ts'],
    'b.ts': ['c.ts'],
    'c.ts': ['a.ts', 'd.ts'],
    'd.ts': [],
  })
  expect(found).toEqual([{ imports: 3, files: ['a.ts', 'b.ts', 'c.ts'] }])
})

test('a module and its own children may know each other, two children may not', () => {
  expect(circles({ 'x.rs': ['x/a.rs'], 'x/a.rs': ['x.rs'] })).toEqual([])
  const siblings = { 'x.rs': ['x/a.rs'], 'x/a.rs': ['x.rs', 'x/b.rs'], 'x/b.rs': ['x/a.rs'] }
  expect(circles(siblings)).toEqual([{ imports: 2, files: ['x/a.rs', 'x/b.rs'] }])
})

/** @param {Record<string, string>} texts */
function importsOf(texts) {
  const parsed = new Map(Object.entries(texts).map(([file, text]) => [file, parseRust(file, text)]))
  return (/** @type {string} */ file) => {
    const own = parsed.get(file)
    return own === undefined ? [] : [...new Set(rustImports(own, parsed))].sort()
  }
}

test('Rust: paths in `use` trees and in code lead to files, also through re-exports', () => {
  const of = importsOf({
    'src/lib.rs': 'pub mod a;\nmod b;\npub use b::Thing;',
    'src/a.rs': 'mod deep;\nuse crate::{Thing, b::{self, other}};\nfn f() { deep::g() }',
    'src/a/deep.rs': 'use super::*; // use crate::b::no;\nfn g() { crate::b::h() }',
    'src/b.rs': 'pub struct Thing;\n#[cfg(test)]\nmod tests {\n use crate::a; }',
  })
  expect(of('src/lib.rs')).toEqual(['src/b.rs'])
  expect(of('src/a.rs')).toEqual(['src/a/deep.rs', 'src/b.rs'])
  expect(of('src/a/deep.rs')).toEqual(['src/a.rs', 'src/b.rs'])
  expect(of('src/b.rs')).toEqual([])
})

test('Rust: `as`, `self`, several `super` and paths over several lines', () => {
  const of = importsOf({
    'src/lib.rs': 'pub mod a;\npub mod b;',
    'src/a.rs': 'pub mod x;\npub mod y;\nuse crate::b::{\n  Thing as Other,\n};',
    'src/a/x.rs': 'mod z;\nuse self::z::Z;\npub(crate) use super::y::Y as Why;',
    'src/a/x/z.rs': 'use super::super::super::b;\nuse super::super::y::{self, Y};',
    'src/a/y.rs': 'pub struct Y;\nfn f() -> super::x::Why { todo!() }',
    'src/b.rs': 'use std::fmt;\nuse other_crate::a::x;',
  })
  expect(of('src/a.rs')).toEqual(['src/b.rs'])
  expect(of('src/a/x.rs')).toEqual(['src/a/x/z.rs', 'src/a/y.rs'])
  expect(of('src/a/x/z.rs')).toEqual(['src/a/y.rs', 'src/b.rs'])
  // What is shown under another name leads to the file that shows it.
  expect(of('src/a/y.rs')).toEqual(['src/a/x.rs'])
  expect(of('src/b.rs')).toEqual([])
})

test('Rust: comments and tests name no module, crates do not mix', () => {
  const of = importsOf({
    'one/src/lib.rs': 'mod a;\n/// As [`crate::a`].\nfn f() {} // crate::a::g()',
    'one/src/a.rs': 'fn g() {}\n#[cfg(test)]\nmod tests { fn h() { crate::f() } }',
    'two/src/lib.rs': 'mod a;\nfn f() { a::g() }',
    'two/src/a.rs': 'fn g() { crate::f() }',
  })
  expect(of('one/src/lib.rs')).toEqual([])
  expect(of('one/src/a.rs')).toEqual([])
  expect(of('two/src/lib.rs')).toEqual(['two/src/a.rs'])
  expect(of('two/src/a.rs')).toEqual(['two/src/lib.rs'])
})
