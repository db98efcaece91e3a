import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installDebian } from '../debian.ts'
import { installOnce } from '../install-once.ts'
import { runCommand } from '../run-command.ts'

/** This package of npm has several versions of WordPress, and the plugin with which it needs no database server. */
const builds = '@wp-playground/wordpress-builds@0.9.19'
const version = '6.5'
const sitesZip = `package/src/wordpress/wp-${version}.zip`
const plugin = 'sqlite-database-integration'
const pluginZip = `package/src/${plugin}/${plugin}.zip`

export const php = '/usr/bin/php'

/** PHP names a module in another way than Debian its package. */
const phpModules = { pdo_sqlite: 'php-sqlite3', gd: 'php-gd', mbstring: 'php-mbstring' } as const

/** An empty site, of which each test has a copy. */
export type WordpressInstall = { html: string; passwordFile: string }

/** Returns undefined if WordPress is installed, otherwise the reason, with which a test is skipped. */
export async function installWordpress(): Promise<string | undefined> {
  try {
    await findOrBuildWordpress()
    return undefined
  } catch (error) {
    return `WordPress cannot be installed: ${error instanceof Error ? error.message : String(error)}`
  }
}

export async function findOrBuildWordpress(): Promise<WordpressInstall> {
  await installPhp()
  const dir = await installOnce(`wordpress-${version}-${builds.split('@').at(-1)}`, build)
  return { html: join(dir, 'html'), passwordFile: join(dir, 'application-password') }
}

async function installPhp(): Promise<void> {
  const found = existsSync(php) ? (await runCommand(php, ['-m'])).toLowerCase().split('\n') : []
  const missing = Object.entries(phpModules).filter(([module]) => !found.includes(module))
  if (missing.length > 0) await installDebian(['php-cli', ...missing.map(([, name]) => name)])
}

async function build(dir: string): Promise<void> {
  await runCommand('npm', ['pack', '--silent', builds], { cwd: dir })
  const archive = (await readdir(dir)).find((file) => file.endsWith('.tgz')) ?? ''
  await runCommand('tar', ['-xzf', archive, sitesZip, pluginZip], { cwd: dir })
  await rm(join(dir, archive))
  const html = join(dir, 'html')
  const content = join(html, 'wp-content')
  await unzip(sitesZip, 'html', dir)
  await unzip(pluginZip, 'plugin', dir)
  await rm(join(dir, 'package'), { recursive: true })
  for (const folder of ['plugins', 'database', 'uploads']) await mkdir(join(content, folder), { recursive: true })
  const installed = join(content, 'plugins', plugin)
  await rename(join(dir, 'plugin', `${plugin}-main`), installed)
  // The file by which WordPress takes another database. Unchanged, it looks for the plugin beside itself, so that a site can be copied.
  await cp(join(installed, 'db.copy'), join(content, 'db.php'))
  await cp(join(import.meta.dirname, 'wp-config.php'), join(html, 'wp-config.php'))
  const setUp = join(import.meta.dirname, 'set-up-site.php')
  const env = { CARILLON_WP_HTML: html, CARILLON_WP_URL: 'http://127.0.0.1' }
  await writeFile(join(dir, 'application-password'), await runCommand(php, [setUp], { env }))
}

/** Python is there for compiling other servers. */
async function unzip(file: string, target: string, cwd: string): Promise<void> {
  await runCommand('python3', ['-m', 'zipfile', '-e', file, target], { cwd })
}
