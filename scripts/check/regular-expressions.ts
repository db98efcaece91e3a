import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import { parseSync } from 'oxc-parser'
import { isCode, isGenerated, isTestSupport, packageOf, type SourceFile, type Violation } from './imports.ts'

/** recheck in JavaScript: its other forms are programs for one kind of machine each. */
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js')

/** The packages whose patterns meet texts of users and platforms. */
const packages = ['contract', 'core', 'connectors', 'server', 'sdk', 'mcp', 'web', 'cli']

/** What recheck cannot decide in time, or what is built while the program runs. Each is tried with hostile texts in text-scanners.test.ts. */
const triedElsewhere: Readonly<Record<string, readonly string[]>> = {
  'connectors/src/bluesky/find-facets.ts': [String.raw`(?<=^|\s)[#＃](?!\ufe0f)(\S+)`],
  'core/src/count-text.ts': [
    'new RegExp',
    String.raw`(?<![=/\p{L}\p{N}_])(@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*`,
  ],
  // A fixed length without alternatives.
  'server/src/features/api-keys/api-key.ts': ['new RegExp'],
}

/** A regular expression in the source; `flags` is null where the program builds it. */
export type Pattern = { source: string; flags: string | null; line: number }

/**
 * Finds regular expressions that take more than linear time for some text: one such pattern lets a single request stop the process for
 * minutes. Patterns of tests and generated files meet no such text.
 */
export function checkRegularExpressions(files: readonly SourceFile[]): Violation[] {
  return files.filter(isInScope).flatMap((file) =>
    findPatterns(file).flatMap(({ source, flags, line }) => {
      const isTried = triedElsewhere[file.path]?.includes(source) ?? false
      const problem = isTried
        ? null
        : flags === null
          ? 'builds a regular expression, which cannot be checked'
          : judge(source, flags)
      return problem === null ? [] : [{ path: `${file.path}:${line}`, problem }]
    }),
  )
}

function isInScope({ path }: SourceFile): boolean {
  return (
    packages.includes(packageOf(path)) && path.includes('/src/') && isCode(path) && !isGenerated(path) && !isTestSupport(path)
  )
}

/** The slowest takes seconds of a core. The limit is that of a machine with much other work. */
const judgeMsMax = 300_000

const verdicts = new Map<string, string | null>()

function judge(source: string, flags: string): string | null {
  const name = `/${source}/${flags}`
  const known = verdicts.get(name)
  if (known !== undefined) return known
  const result = checkSync(source, flags, { timeout: judgeMsMax, attackTimeout: 500, incubationTimeout: 500 })
  const verdict = isDisproved(new RegExp(source, flags), result) ? null : describe(name, result)
  verdicts.set(name, verdict)
  return verdict
}

/** A text of recheck has so many steps that a pattern which really needs them all takes seconds; one which does not takes a few milliseconds. */
const harmlessMs = 200

/**
 * Whether a text that is said to be slow is not. For patterns that recheck cannot judge by their form it searches slow texts at random, and for
 * some harmless patterns one search in four claims to have found one. Tried three times, because this machine may be busy.
 */
function isDisproved(pattern: RegExp, result: ReturnType<typeof checkSync>): boolean {
  if (result.status !== 'vulnerable' || result.checker !== 'fuzz') return false
  const text = result.attack.string
  return [1, 2, 3].some(() => {
    try {
      runInNewContext("text.replace(pattern, '')", { text, pattern }, { timeout: harmlessMs })
      return true
    } catch {
      return false
    }
  })
}

function describe(name: string, result: ReturnType<typeof checkSync>): string | null {
  if (result.status === 'safe') return null
  if (result.status === 'unknown') return `${name} could not be judged (${result.error.kind}): make it simpler`
  return `${name} takes ${result.complexity.summary} time, for example for ${result.attack.pattern.slice(0, 100)}`
}

/** The regular expressions of a file: literals, and calls of `RegExp`. */
export function findPatterns({ path, text }: SourceFile): Pattern[] {
  const found: Pattern[] = []
  walk(parseSync(path, text).program, (node) => {
    const { regex, callee, start } = node
    const line = () => text.slice(0, start).split('\n').length
    if (regex) found.push({ source: regex.pattern, flags: regex.flags, line: line() })
    if (callee?.name === 'RegExp') found.push({ source: 'new RegExp', flags: null, line: line() })
  })
  return found
}

/** The fields of a syntax tree's nodes that matter here. */
type Node = { regex?: { pattern: string; flags: string } | null; callee?: { name?: string }; start: number }

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) visit(value as Node)
  for (const inner of Object.values(value)) walk(inner, visit)
}
