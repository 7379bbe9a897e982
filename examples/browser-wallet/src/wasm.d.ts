/** esbuild's `file` loader: the name of the copied file. */
declare module 'lightproof/hash.wasm' {
  const name: string
  // biome-ignore lint/style/noDefaultExport: this is how esbuild exports it.
  export default name
}
