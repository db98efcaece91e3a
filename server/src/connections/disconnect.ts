import { Answer, type Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { stopChannels } from '../posts/stop-channels.ts'
import { deleteConnection, findConnection, type ConnectionRow } from './connection.store.ts'

/** Removes a connection here and stops what was scheduled on it, in one transaction: nothing goes out after the answer. */
export async function disconnect(asked: Asked, id: string): Promise<Answer<null>> {
  await removeConnection(asked, id)
  return new Answer(null, { subjectId: id })
}

export async function removeConnection(asked: Asked, id: string): Promise<ConnectionRow> {
  const { workspaceId } = asked.principal
  const row = await findConnection(asked.tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  await stopChannels(asked, id)
  await deleteConnection(asked.tx, workspaceId, id)
  return row
}
