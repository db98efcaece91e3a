type Limits = { max: number; perWorkspaceMax: number }

/** How many runs of a process, and of one workspace in it, wait at a time. */
const runLimits: Limits = { max: 32, perWorkspaceMax: 4 }

/**
 * The places of the engine that runs of this process may hold while they wait for somebody's server. `take` gives the function that frees the
 * place, or null if there are too many: such a run ends at once, and its work goes on without it.
 */
export function createRunPlaces({ max, perWorkspaceMax }: Limits = runLimits) {
  const byWorkspace = new Map<string, number>()
  let all = 0
  return {
    take(workspaceId: string): (() => void) | null {
      const own = byWorkspace.get(workspaceId) ?? 0
      if (all >= max || own >= perWorkspaceMax) return null
      all++
      byWorkspace.set(workspaceId, own + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all--
        const left = (byWorkspace.get(workspaceId) ?? 1) - 1
        if (left > 0) byWorkspace.set(workspaceId, left)
        else byWorkspace.delete(workspaceId)
      }
    },
  }
}
