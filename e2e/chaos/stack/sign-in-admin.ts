import type { Stack } from '@carillon/stack'
import pg from 'pg'

const person = { name: 'Ringer', email: 'ringer@example.com', password: 'seven bells at dusk' }

/**
 * Creates a person who is an admin of the workspaces and signs in. Returns the cookies, with which accounts are confirmed. The address is
 * confirmed in the database, because this stack has no mail server.
 */
export async function signInAdmin({ info, postgres }: Stack, workspaceIds: readonly string[]): Promise<string> {
  const { origin } = new URL(info.baseUrl)
  await post(`${origin}/auth/sign-up/email`, origin, person)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    await client.query(`update person set email_verified = true where email = $1`, [person.email])
    await client.query(
      `insert into member (workspace_id, person_id, role, joined_at)
       select workspace_id, id, 'admin', now() from person, unnest($2::text[]) as workspace_id where email = $1`,
      [person.email, workspaceIds],
    )
  } finally {
    await client.end()
  }
  const answer = await post(`${origin}/auth/sign-in/email`, origin, { email: person.email, password: person.password })
  return cookiesOf(answer)
}

/** What a browser sends back of the cookies that it was given. */
export function cookiesOf(answer: Response): string {
  const pairs = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return pairs.join('; ')
}

async function post(url: string, origin: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
