import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../platform.ts'
import type { Account, Media, Post } from '../state/entities.ts'
import type { SimulatorState } from '../state/simulator-state.ts'
import type { Submit } from '../state/submits.ts'
import type { Token } from '../state/tokens.ts'
import { decodeGraph, encodeGraph, type FileStore, type Graph } from './graph.ts'

/** Raise this when a stored type changes: data of another version is ignored, because its objects would lack fields. */
const version = 1
const saveAfterMs = 500

type PlatformData = {
  accounts: Account[]
  tokens: Token[]
  tables: Map<string, Map<string, unknown>>
  lastNumber: number
}
type Data = {
  posts: readonly Post[]
  submits: readonly Submit[]
  media: ReadonlyMap<string, Media>
  clockOffsetMs: number
  platforms: Map<string, PlatformData>
}

/** Keeps accounts, tokens and posts in a folder, so that they survive a restart. Settings, faults and used limits are not kept. */
export class DataFolder {
  readonly #file: string
  readonly #files: FileStore
  readonly #simulator: SimulatorState
  readonly #platforms: readonly Platform[]
  #timer: NodeJS.Timeout | undefined
  #written = ''

  constructor(folder: string, simulator: SimulatorState, platforms: readonly Platform[]) {
    mkdirSync(join(folder, 'media'), { recursive: true })
    this.#file = join(folder, 'simulator.json')
    this.#files = createFileStore(join(folder, 'media'))
    this.#simulator = simulator
    this.#platforms = platforms
  }

  load(): void {
    if (!existsSync(this.#file)) return
    const stored = JSON.parse(readFileSync(this.#file, 'utf8')) as { version: number; graph: Graph }
    if (stored.version === version) this.#restore(decodeGraph(stored.graph, this.#files) as Data)
    else console.error(`${this.#file} was written by another version of the simulator and is ignored`)
  }

  /** Saves soon. Several changes in a short time are saved together. */
  saveSoon(): void {
    this.#timer ??= setTimeout(() => this.save(), saveAfterMs)
  }

  save(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = JSON.stringify({ version, graph: encodeGraph(this.#collect(), this.#files) })
    if (text === this.#written) return
    // Renaming replaces the file in one step: a crash leaves either the old data or the new.
    writeFileSync(`${this.#file}.new`, text)
    renameSync(`${this.#file}.new`, this.#file)
    this.#written = text
  }

  #collect(): Data {
    const { posts, submits, media, clockOffsetMs } = this.#simulator
    const platforms = this.#platforms.map(({ context }): [string, PlatformData] => {
      const { name, accounts, tokens, lastNumber } = context
      return [name, { accounts: accounts.all(), tokens: tokens.all(), tables: context.tables(), lastNumber }]
    })
    return {
      posts: posts.all(),
      submits: submits.all(),
      media: media.all(),
      clockOffsetMs,
      platforms: new Map(platforms),
    }
  }

  #restore({ posts, submits, media, clockOffsetMs, platforms }: Data): void {
    this.#simulator.posts.restore([...posts])
    this.#simulator.submits.restore([...submits])
    this.#simulator.media.restore(media)
    this.#simulator.clockOffsetMs = clockOffsetMs
    for (const { context } of this.#platforms) {
      const data = platforms.get(context.name)
      if (!data) continue
      for (const account of data.accounts) context.accounts.add(account)
      for (const token of data.tokens) context.tokens.add(token)
      for (const [name, table] of context.tables()) for (const [key, row] of data.tables.get(name) ?? []) table.set(key, row)
      context.lastNumber = data.lastNumber
    }
  }
}

/** Names files by their content, so that each one is written once. */
function createFileStore(folder: string): FileStore {
  const names = new WeakMap<Buffer, string>()
  return {
    write(bytes) {
      const known = names.get(bytes)
      if (known !== undefined) return known
      const name = createHash('sha256').update(bytes).digest('hex')
      const path = join(folder, name)
      if (!existsSync(path)) writeFileSync(path, bytes)
      names.set(bytes, name)
      return name
    },
    read: (name) => readFileSync(join(folder, name)),
  }
}
