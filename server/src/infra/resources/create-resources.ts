/** A value that lives as long as the process's context: a pool, a cache, a queue. */
export type Resource<Value> = { value: Value; close?(): Promise<void> }

export type Resources<Context> = {
  /** The value that `create` makes: made at the first call, the same at every later one. */
  get<Value>(create: (ctx: Context) => Resource<Value>, ctx: Context): Value
  close(): Promise<void>
}

/**
 * Keeps what features hold per process, by the function that creates it. Nothing is stored in module variables, so that two contexts in one
 * process share nothing and closing a context closes what was opened for it.
 */
export function createResources<Context>(): Resources<Context> {
  const opened = new Map<unknown, Resource<unknown>>()
  return {
    get<Value>(create: (ctx: Context) => Resource<Value>, ctx: Context) {
      const known = opened.get(create) as Resource<Value> | undefined
      if (known) return known.value
      const made = create(ctx)
      opened.set(create, made)
      return made.value
    },
    async close() {
      for (const resource of [...opened.values()].toReversed()) await resource.close?.()
      opened.clear()
    },
  }
}
