/**
 * The pages of the site, in the order of its menu. Each is a file of the repository, which is read
 * where it is: the site holds no copies.
 */

/**
 * @typedef {object} Page
 * @property {string} source path in the repository
 * @property {string} page path on the site
 * @property {string} title in the menu
 */

/**
 * @param {string} source
 * @param {string} page
 * @param {string} title
 * @returns {Page}
 */
const page = (source, page, title) => ({ source, page, title })
const guide = (/** @type {string} */ name, /** @type {string} */ title) =>
  page(`sdk/guides/${name}.md`, `guides/${name}.md`, title)
const spec = (/** @type {string} */ name, /** @type {string} */ title) =>
  page(`spec/${name}.md`, `spec/${name}.md`, title)
const example = (/** @type {string} */ name, /** @type {string} */ title) =>
  page(`examples/${name}/README.md`, `examples/${name}.md`, title)

/** The home page, which has no menu. */
export const HOME = page('docs/index.md', 'index.md', 'Lightproof')

/** @type {{ title: string, pages: Page[] }[]} */
export const MENU = [
  {
    title: 'Start',
    pages: [
      page('README.md', 'start.md', 'Overview'),
      page('sdk/README.md', 'sdk.md', 'The SDK'),
      page('SECURITY.md', 'security.md', 'Security'),
      page('CONTRIBUTING.md', 'contributing.md', 'Contributing'),
      page('CHANGELOG.md', 'changelog.md', 'Changelog'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('wallet', 'Wallets'),
      guide('script', 'Scripts'),
      guide('webview', 'Webviews'),
      guide('platforms', 'Platforms'),
      guide('development', 'Development nodes'),
      guide('node-operator', 'Node operators'),
    ],
  },
  {
    title: 'Sample programs',
    pages: [
      page('examples/README.md', 'examples/index.md', 'All of them'),
      page('create/README.md', 'create.md', 'Start from one'),
      example('browser-wallet', 'Browser wallet'),
      example('node-script', 'Node.js script'),
      example('extension', 'Extension'),
      example('mobile-webview', 'Mobile webview'),
      example('explorer', 'Proof explorer'),
    ],
  },
  {
    title: 'Specification',
    pages: [
      page('spec/README.md', 'spec/index.md', 'How to read it'),
      spec('architecture', 'Architecture'),
      spec('headers', 'Headers'),
      spec('systems/mpt', 'mpt'),
      spec('systems/body', 'body'),
      spec('systems/lmpt', 'lmpt'),
      spec('systems/lvmt', 'lvmt'),
      spec('systems/verkle', 'verkle'),
      spec('systems/balanceproofs', 'balanceproofs'),
      spec('systems/cole', 'cole'),
      spec('calls', 'Calls'),
      spec('errors', 'Errors'),
      spec('glossary', 'Glossary'),
      page('test-vectors/README.md', 'test-vectors.md', 'Test vectors'),
    ],
  },
  {
    title: 'Measurements',
    pages: [page('bench/README.md', 'bench.md', 'What it costs')],
  },
]

export const PAGES = [HOME, ...MENU.flatMap(({ pages }) => pages)]
