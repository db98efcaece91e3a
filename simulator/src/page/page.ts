import type { Call } from '../http/call.ts'
import type { Method } from '../http/create-router.ts'
import type { Reply } from '../http/reply.ts'

/** The route of a page. Undefined is answered with a page that says that there is nothing here. */
export type Page = { method: Method; path: string; answer: (call: Call) => Reply | undefined }
