type Drawing = { signal: AbortSignal; onDuration: (seconds: number) => void }

/** Draws pictures of a video, evenly spread over its length, with an element that is not shown. It fails if the browser cannot play it. */
export async function drawFrames(address: string, canvases: readonly HTMLCanvasElement[], { signal, onDuration }: Drawing) {
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
