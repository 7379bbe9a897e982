/** esbuild's `file` loader: the names of the copied files. */
declare module 'lightproof/*.wasm' {
  const name: string
  // biome-ignore lint/style/noDefaultExport: this is how esbuild exports it.
  export default name
}
