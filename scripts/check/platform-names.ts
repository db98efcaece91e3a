import { platforms } from '../../contract/src/platforms.ts'
import { isCode, isGenerated, isTestSupport, type SourceFile, type Violation } from './imports.ts'

const sharedFolders = ['contract/src/', 'core/src/', 'sdk/src/', 'mcp/src/', 'cli/src/', 'server/src/', 'web/src/']
const listOfPlatforms = 'contract/src/platforms.ts'
const examples = 'contract/src/examples/'

/** Files that may name a platform all the same, each with the names it may use and the reason. */
const allowedNames: Readonly<Record<string, readonly string[]>> = {
  // A way of counting is called after the platform that invented it: 'threads-emoji-bytes'.
  'contract/src/manifest.ts': ['threads'],
  // The same name, a comment on the origin of the mention syntax, and the letter 'x' as a filler that is counted.
  'core/src/count-text.ts': ['threads', 'mastodon', 'x'],
}

const patterns = platforms.map((name) => ({ name, pattern: patternOf(name) }))

/** Shared code knows platforms by their manifests only. Tests may name one, because they need an example. */
export function checkPlatformNames({ path, text }: SourceFile): Violation[] {
  if (!isShared(path)) return []
  const allowed = allowedNames[path] ?? []
  return patterns.flatMap(({ name, pattern }) => {
    const found = allowed.includes(name) ? null : pattern.exec(text)
    return found ? [{ path: `${path}:${lineOf(text, found.index)}`, problem: `names a platform: ${found[0]}` }] : []
  })
}

function isShared(path: string): boolean {
  if (!isCode(path) || isGenerated(path) || isTestSupport(path)) return false
  return path !== listOfPlatforms && !path.startsWith(examples) && sharedFolders.some((folder) => path.startsWith(folder))
}

/**
 * Three names are also ordinary words: `x` is a platform only as a whole string, `threads` at the start of a string or with a capital, and
 * `http` as a string that follows the word "platform".
 */
function patternOf(name: string): RegExp {
  if (name === 'x') return /(['"`])x\1/
  if (name === 'http') return /\bplatform\b[^\n'"`]{0,40}(['"`])http\1|\bOwn platform\b/
  if (name === 'threads') return /(?<=['"`])threads\b|\bThreads\b/
  return new RegExp(`\\b${name}\\b`, 'i')
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
