/** A value that lives as long as the process's context: a pool, a cache, a queue. */
type Resource<Value> = { value: Value; close?(): Promise<void> }

export type Resources<Context> = {
  /** The value that `create` returns. It is created at the first call and the same at every later one. */
  get<Value>(create: (ctx: Context) => Resource<Value>, ctx: Context): Value
  close(): Promise<void>
}

/**
 * Stores the values that features need once per process; the key is the function that creates the value. Module variables are not used,
 * so that two contexts in one process share nothing and closing a context closes its resources.
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
