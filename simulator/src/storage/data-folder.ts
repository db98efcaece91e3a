import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isFields } from '../http/fields.ts'
import type { Platform } from '../platform.ts'
import type { Account, Media, Post } from '../state/entities.ts'
import type { SimulatorState } from '../state/simulator-state.ts'
import type { Submit } from '../state/submits.ts'
import type { Token } from '../state/tokens.ts'
import { decodeGraph, encodeGraph, type FileStore, type Graph } from './graph.ts'

/** Raise this when a stored type changes: data of another version is set aside, because its objects would lack fields. */
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
  #isFailing = false

  constructor(folder: string, simulator: SimulatorState, platforms: readonly Platform[]) {
    mkdirSync(join(folder, 'media'), { recursive: true })
    this.#file = join(folder, 'simulator.json')
    this.#files = createFileStore(join(folder, 'media'))
    this.#simulator = simulator
    this.#platforms = platforms
  }

  /** Data that cannot be used are set aside and never overwritten. The simulator then starts empty and says so on every page. */
  load(): void {
    if (!existsSync(this.#file)) return
    const data = this.#read()
    if (typeof data !== 'string') this.#restore(data)
    else this.#setAside(data)
  }

  /** The stored data, or the reason why they cannot be used. */
  #read(): Data | string {
    try {
      const stored: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      if (!isFields(stored) || typeof stored['version'] !== 'number') return 'are not data of the simulator'
      if (stored['version'] !== version) return 'were written by another version of the simulator'
      const data = decodeGraph(stored['graph'] as Graph, this.#files)
      return isData(data) ? data : 'are incomplete'
    } catch (error) {
      return `are damaged (${error instanceof Error ? error.message : String(error)})`
    }
  }

  #setAside(reason: string): void {
    const kept = `${this.#file}.set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    renameSync(this.#file, kept)
    this.#report(
      `The stored accounts and posts ${reason}. The simulator started empty, and the file is kept as ${basename(kept)}.`,
    )
  }

  #report(notice: string): void {
    this.#simulator.storageNotice = notice
    console.error(`${notice} (${this.#file})`)
  }

  /** Saves soon. Several changes in a short time are saved together. */
  saveSoon(): void {
    this.#timer ??= setTimeout(() => this.save(), saveAfterMs)
  }

  /** A full disk must not stop the simulator: what it has in memory is still right, and the next change saves again. */
  save(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      this.#write()
      if (this.#isFailing) this.#simulator.storageNotice = undefined
      this.#isFailing = false
    } catch (error) {
      this.#isFailing = true
      const reason = error instanceof Error ? error.message : String(error)
      this.#report(`Accounts and posts could not be stored (${reason}). They are lost when the simulator stops.`)
    }
  }

  #write(): void {
    const text = JSON.stringify({ version, graph: encodeGraph(this.#collect(), this.#files) })
    if (text === this.#written) return
    replaceFile(this.#file, text)
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

function isData(value: unknown): value is Data {
  if (!isFields(value)) return false
  const { posts, submits, media, platforms, clockOffsetMs } = value
  const hasLists = Array.isArray(posts) && Array.isArray(submits) && media instanceof Map && platforms instanceof Map
  return hasLists && typeof clockOffsetMs === 'number'
}

/** Renaming replaces the file in one step: a crash leaves either the old content or the new, and never a part. */
function replaceFile(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content, { flush: true })
  renameSync(`${path}.new`, path)
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
      if (!existsSync(path)) replaceFile(path, bytes)
      names.set(bytes, name)
      return name
    },
    read(name) {
      const path = join(folder, name)
      return existsSync(path) ? readFileSync(path) : undefined
    },
  }
}
