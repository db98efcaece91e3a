import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaGet } from '../../api/queries.gen.ts'
import { Button } from '../../ui/button.tsx'
import { useCompose } from '../compose-context.ts'
import { videoAddress } from '../files/local-files.ts'
import type { PostFile } from '../state/compose-state.ts'

type CoverFieldProps = {
  title: string
  error: string | null
  file: PostFile
  /** The chosen moment; null while the platform chooses. */
  seconds: number | null
  /** The last moment that the platform takes. */
  secondsMax: number | null
  onChange: (seconds: number | undefined) => void
  /** The moment as a number, for a video that this browser cannot show. */
  fallback: ReactNode
}

const framesShown = 8
const stepSeconds = 0.1

/** Chooses the cover of a video by what can be seen: pictures of the whole video, and a slider for the moments between them. */
export function CoverField({ title, error, file, seconds, secondsMax, onChange, fallback }: CoverFieldProps) {
  const { t, i18n } = useTranslation('compose')
  const { workspaceId } = useCompose()
  const here = videoAddress(file)
  const media = useQuery({ ...mediaGet(workspaceId, file.mediaId ?? ''), enabled: here === null && file.mediaId !== null })
  const address = here ?? media.data?.url ?? null
  const { shown, strip, duration, hasFailed } = useFrames(address, seconds ?? 0)
  if (hasFailed || (address === null && !media.isPending)) return fallback
  const last = Math.floor(Math.min(duration, secondsMax ?? duration) / stepSeconds) * stepSeconds
  const choose = (next: number) => onChange(Math.round(Math.min(next, last) * 10) / 10)
  const write = (value: number) =>
    t('cover.at', { seconds: value.toLocaleString(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) })
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{title}</legend>
      <div className="flex items-start gap-3">
        {/* It shows one picture and never plays. */}
        <video
          ref={shown}
          src={address ?? undefined}
          muted
          playsInline
          preload="auto"
          aria-hidden
          tabIndex={-1}
          className="aspect-[9/16] w-24 shrink-0 rounded-control bg-sunken object-cover"
        />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div ref={strip} className="flex overflow-hidden rounded-control bg-sunken">
            {Array.from({ length: framesShown }, (_, at) => (
              <button
                key={at}
                type="button"
                // The slider is for keys and screen readers; these are its pictures.
                tabIndex={-1}
                aria-hidden
                className="h-20 min-w-0 flex-1 cursor-pointer"
                onClick={() => choose(((at + 0.5) / framesShown) * duration)}
              >
                <canvas width={90} height={160} className="size-full object-cover" />
              </button>
            ))}
          </div>
          <input
            type="range"
            aria-label={title}
            aria-invalid={error === null ? undefined : true}
            aria-valuetext={seconds === null ? t('cover.unchosen') : write(seconds)}
            min={0}
            max={last}
            step={stepSeconds}
            value={seconds ?? 0}
            disabled={last === 0}
            className="h-6 w-full accent-bell pointer-coarse:h-11"
            onChange={(event) => choose(Number(event.target.value))}
          />
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm text-quiet">
            <span className="figures">{seconds === null ? t('cover.unchosen') : write(seconds)}</span>
            {seconds !== null && (
              <Button size="sm" variant="quiet" onClick={() => onChange(undefined)}>
                {t('cover.clear')}
              </Button>
            )}
          </div>
        </div>
      </div>
      {error !== null && <p className="text-sm font-medium text-rust">{error}</p>}
    </fieldset>
  )
}

/** Keeps the large picture at the chosen moment, and draws the small ones once. */
function useFrames(address: string | null, seconds: number) {
  const shown = useRef<HTMLVideoElement>(null)
  const strip = useRef<HTMLDivElement>(null)
  const [duration, setDuration] = useState(0)
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    if (address === null) return
    const ended = new AbortController()
    const canvases = [...(strip.current?.querySelectorAll('canvas') ?? [])]
    drawFrames(address, canvases, { signal: ended.signal, onDuration: setDuration }).catch(() => {
      if (!ended.signal.aborted) setFailed(address)
    })
    return () => ended.abort()
  }, [address])
  useEffect(() => {
    // Some browsers show nothing at the very start.
    if (shown.current && duration > 0) shown.current.currentTime = Math.max(seconds, 0.001)
  }, [seconds, duration])
  return { shown, strip, duration, hasFailed: failed !== null && failed === address }
}

type Drawing = { signal: AbortSignal; onDuration: (seconds: number) => void }

/** Draws pictures of a video, evenly spread over its length, with an element that is not shown. It fails if the browser cannot play it. */
async function drawFrames(address: string, canvases: readonly HTMLCanvasElement[], { signal, onDuration }: Drawing) {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  try {
    const loaded = waitFor(video, 'loadeddata', signal)
    video.src = address
    await loaded
    const { duration, videoWidth } = video
    // A file whose pictures this browser cannot decode may have a length all the same.
    if (!Number.isFinite(duration) || videoWidth === 0) throw new Error('the video has no pictures')
    onDuration(duration)
    for (const [at, canvas] of canvases.entries()) {
      const seeked = waitFor(video, 'seeked', signal)
      video.currentTime = ((at + 0.5) / canvases.length) * duration
      await seeked
      drawCover(video, canvas)
    }
  } finally {
    // Ends its download.
    video.removeAttribute('src')
    video.load()
  }
}

/** The middle of the picture, as large as the canvas. */
function drawCover(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  const scale = Math.max(canvas.width / video.videoWidth, canvas.height / video.videoHeight)
  const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
  canvas.getContext('2d')?.drawImage(video, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
}

function waitFor(video: HTMLVideoElement, event: 'loadeddata' | 'seeked', signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = () => reject(new Error('the video cannot be shown'))
  video.addEventListener(event, () => resolve(), { once: true, signal })
  video.addEventListener('error', fail, { once: true, signal })
  signal.addEventListener('abort', fail, { once: true })
  return promise
}
