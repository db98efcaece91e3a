import { queryDatabase } from '../../support/query-database.ts'

type Status = 'completed' | 'partial_failure' | 'failed' | 'scheduled'
type SamplePost = { day: number; time: string; status: Status; platforms: readonly string[]; text: string }

const texts = [
  'Evensong at six on Sunday. All are welcome.',
  'The new bell is in the tower: 1.2 tonnes, tuned to D.',
  'Open tower day: 164 steps, one view.',
  'Practice night for ringers of all ages.',
  'Thank you to everybody who gave for the new ropes.',
  'What does a carillonneur do on a Monday?',
  'Noon concert: Bach, and a surprise.',
  'We are looking for volunteers for Saturday.',
  'The tower clock is right again.',
  'A short film: how a bell is cast.',
]
const mixes = [
  ['bluesky', 'mastodon', 'threads'],
  ['instagram', 'linkedin'],
  ['x', 'mastodon'],
  ['bluesky'],
  ['linkedin', 'x', 'threads'],
]

/** Four weeks behind us and two before us, so that a calendar and a chart look as they do after some weeks of use. */
function samplePosts(): SamplePost[] {
  const days = Array.from({ length: 42 }, (_, at) => at - 27).filter((day) => (day + 30) % 3 !== 1)
  return days.flatMap((day, at) => {
    const past = at % 9 === 5 ? 'partial_failure' : at % 13 === 7 ? 'failed' : 'completed'
    const one = (time: string, more: number): SamplePost => ({
      day,
      time,
      status: day < 0 ? past : 'scheduled',
      platforms: mixes[(at + more) % mixes.length] ?? [],
      text: texts[(at + 3 * more) % texts.length] ?? '',
    })
    return at % 4 === 2 ? [one('09:00', 0), one('17:30', 1)] : [one(at % 2 === 0 ? '09:00' : '12:15', 0)]
  })
}

/** Posts of several weeks, straight into the database, with the figures that platforms told about them. Nothing is sent. */
export async function insertSamplePosts(workspaceId: string): Promise<void> {
  const posts = samplePosts().map((post, n) => ({ ...post, n }))
  await queryDatabase(
    `with given as (
      select n, substr(md5($1 || n), 1, 24) as id, status, platforms, text,
        ((current_date + day) + time::time) at time zone 'Europe/Berlin' as due
      from json_to_recordset($2) as g (n int, day int, time text, status text, platforms text[], text text)
    ),
    added as (
      insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, timezone, warnings, published_at,
        created_at, updated_at)
      select $1, id, gen_random_uuid(), status, 'text', text, '{}', due, 'Europe/Berlin', '[]',
        case when status in ('completed', 'partial_failure') then due end, due - interval '3 days', due
      from given
    ),
    part as (
      select g.*, c.id as connection_id, c.slug, c.display_name, c.platform, substr(md5($1 || g.n || c.platform), 1, 24) as channel_id,
        case
          when g.status = 'scheduled' then 'scheduled'
          when g.status = 'failed' or (g.status = 'partial_failure' and c.platform = g.platforms[1]) then 'failed'
          else 'published'
        end as state,
        ('x' || substr(md5(g.n || c.platform), 1, 4))::bit(16)::int as dice
      from given g
      join connection c on c.workspace_id = $1 and c.platform = any (g.platforms)
    ),
    sent as (
      insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage,
        warnings, due_at, finished_at, published_at, late_ms, error)
      select $1, channel_id, id, row_number() over (partition by id order by platform) - 1, connection_id, slug, display_name, platform,
        state, false, '[]', due,
        case when state <> 'scheduled' then due + interval '2 seconds' end,
        case when state = 'published' then due + interval '2 seconds' end,
        case when state <> 'scheduled' then 80 + dice % 400 end,
        case when state = 'failed' then '{"code": "content_rejected", "message": "The platform refused it.", "action": "edit"}'::jsonb end
      from part
    )
    insert into channel_metric (workspace_id, channel_id, platform, published_at, asked_at, collected_at, likes, comments, shares,
      impressions, clicks, saves)
    select $1, channel_id, platform, due, now(), now(), dice % 60, dice % 11, dice % 17, 200 + dice % 1400, dice % 80, dice % 9
    from part
    where state = 'published'`,
    [workspaceId, JSON.stringify(posts)],
  )
}

/** Sends of the last day, more of them at noon, some of them late or refused. */
export async function insertSends(workspaceId: string, count: number): Promise<void> {
  await queryDatabase(
    `with given as (
      select n, substr(md5($1 || 'send' || n), 1, 24) as id, now() - make_interval(mins => n * 1430 / $2) as at,
        ('x' || substr(md5('send' || n), 1, 4))::bit(16)::int as dice
      from generate_series(0, $2::int - 1) as n
    ),
    added as (
      insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, timezone, warnings, created_at,
        updated_at)
      select $1, id, gen_random_uuid(), 'completed', 'text', 'Bell ' || n, '{}', at, 'Europe/Berlin', '[]', at, at
      from given
    )
    insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage,
      warnings, finished_at, published_at, late_ms, error)
    select $1, g.id, g.id, 0, c.id, c.slug, c.display_name, c.platform,
      case when dice % 60 = 0 then 'unconfirmed' when dice % 23 = 0 then 'failed' else 'published' end, false, '[]', at, at,
      120 + dice % 500 + case when dice % 29 = 0 then 2200 else 0 end,
      case
        when dice % 60 = 0 then '{"code": "outcome_unknown"}'::jsonb
        when dice % 46 = 0 then '{"code": "platform_unavailable"}'::jsonb
        when dice % 23 = 0 then '{"code": "content_rejected"}'::jsonb
      end
    from given g
    join (
      select *, row_number() over (order by platform) - 1 as place, count(*) over () as places from connection where workspace_id = $1
    ) c on c.place = g.dice % c.places`,
    [workspaceId, count],
  )
}
