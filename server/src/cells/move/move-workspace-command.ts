import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { readConfig } from '../../config.ts'
import { moveWorkspace, undoMove, type Move, type Moved } from './move-workspace.ts'
import { defineCommand } from '../../infra/command-line/command.ts'
import { flag, optionalNumber, requiredText } from '../../infra/command-line/option.ts'
import { StartError } from '../../infra/problem/problem.ts'
import { openContext } from '../../open-context.ts'

const drainSecondsDefault = 45

export const moveWorkspaceCommand = defineCommand({
  details:
    'Moves a workspace with everything in it from this cell to another one, while both run. Its posts and requests wait for a moment; no post ' +
    'is lost or sent twice. The settings of this environment are those of the source, including DATABASE_URL; --to names a file with those of ' +
    'the target. It may be ended at any moment and run again. docs/guides/cells.md describes what moves, and what people have to do.',
  options: {
    workspace: requiredText({ placeholder: 'ID', about: 'The workspace.' }),
    to: requiredText({
      placeholder: 'FILE',
      about: 'A file with the environment variables of the target cell, one in each line.',
    }),
    'drain-seconds': optionalNumber({
      placeholder: 'N',
      min: 0,
      max: 600,
      about: `How long posts that are being sent may take to end, before the target asks the platforms about them. Without it: ${drainSecondsDefault}.`,
    }),
    undo: flag({ about: 'Gives a workspace whose move was interrupted back to this cell.' }),
  },
  run: ({ workspace, to, 'drain-seconds': drainSeconds, undo }) =>
    withCells(to, { workspaceId: workspace, drainMs: (drainSeconds ?? drainSecondsDefault) * 1000 }, async (move) => {
      if (!undo) return { isUndone: false as const, ...(await moveWorkspace(move)) }
      await undoMove(move)
      return { isUndone: true as const, workspaceId: workspace }
    }),
  present: (result) =>
    result.isUndone ? `The workspace ${result.workspaceId} is in this cell, as before.` : presentMoved(result),
})

function presentMoved({ workspaceId, from, to, rows, files, inDoubt, unreadable, link, pauseMs, closedMs }: Moved): string {
  return [
    `The workspace ${workspaceId} is in cell ${to} now, and no longer in cell ${from}: ${rows} rows and ${files.files} files were copied.`,
    pauseMs === null || closedMs === null
      ? 'An earlier run of this command had taken it.'
      : `It was in neither cell for ${(pauseMs / 1000).toFixed(1)} s, and its requests were refused for ${(closedMs / 1000).toFixed(1)} s.`,
    ...(inDoubt > 0
      ? [`${inDoubt} posts were being sent. The platforms are asked about them; none is sent again on a guess.`]
      : []),
    ...(files.missing > 0 ? [`${files.missing} files are missing in the store of the source.`] : []),
    ...(unreadable > 0
      ? [`${unreadable} secrets could not be opened with the keys of the source, and were left as they are.`]
      : []),
    `Its members sign in again, with the same passwords. Tell them this address: ${link}`,
  ].join('\n')
}

async function withCells<T>(
  file: string,
  { workspaceId, drainMs }: Pick<Move, 'workspaceId' | 'drainMs'>,
  work: (move: Move) => Promise<T>,
): Promise<T> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`The file ${file} cannot be read. Give the file with the settings of the target cell.`, { cause: error })
  })
  const source = await openContext(readConfig())
  try {
    const target = await openContext(readConfig(parseEnv(text)))
    try {
      return await work({ source: source.ctx, target: target.ctx, workspaceId, drainMs })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
