/** Licences of what we ship to others: permissive ones, and the fonts' own. */
export const shippedLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
])

/** Also allowed for tools that only developers and CI run. */
export const toolLicences: ReadonlySet<string> = new Set(['MPL-2.0'])

/** Packages with another licence that may stay, and why. A name may end with `*`. */
export const licenceExceptions: Readonly<Record<string, string>> = {
  // LGPL-3.0: a dynamic library beside sharp that anyone can replace. Its notice is shipped with it.
  '@img/sharp-libvips-*': 'LGPL-3.0-or-later',
  // Business Source License: a separate server that runs beside Carillon in development, tests and trials. We never ship it: npm fetches it
  // as an optional package, and `carillon try` names its licence.
  '@restatedev/restate-server*': 'BSL',
  '@restatedev/restatectl*': 'BSL',
}
