import { fileURLToPath } from 'node:url'
import { slug } from '../../scripts/lib/gates/links.mjs'
import { MENU } from '../pages.mjs'

const at = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../.cache/${name}`, import.meta.url))
const link = (/** @type {string} */ page) => `/${page.replace(/(index)?\.md$/, '')}`

/** Pages that are not VitePress': its router must leave them to the browser. */
const outside = { target: '_self' }

// scripts/docs.mjs assembles the pages; a link that leads nowhere fails the build.
export default {
  title: 'Lightproof',
  description: 'Check blockchain state that an untrusted node served.',
  lang: 'en',
  srcDir: at('pages'),
  outDir: at('site'),
  cacheDir: at('vite'),
  cleanUrls: false,
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  // Documents of a repository: no markup of their own, and no templates of Vue.
  markdown: {
    html: false,
    attrs: { disable: true },
    // Links name headings as GitHub does.
    anchor: { slugify: slug },
    config: (md) => {
      for (const rule of ['text', 'code_inline']) {
        const { [rule]: render } = md.renderer.rules
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/wallet', activeMatch: '/guides/' },
      { text: 'Specification', link: '/spec/', activeMatch: '/spec/' },
      { text: 'API', link: '/api/index.html', ...outside },
      { text: 'Explorer', link: '/explorer/index.html', ...outside },
    ],
    sidebar: MENU.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ page, title }) => ({ text: title, link: link(page) })),
    })),
    footer: { message: 'MIT or Apache-2.0' },
  },
}
