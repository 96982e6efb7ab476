// Components whose code is loaded when they are first rendered, or before.
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

export interface LazyComponent<Props extends object> {
  (props: Props): ReactNode
  /** Loads the code before the component is rendered. Rejects if that fails. The next call or render retries. */
  load: () => Promise<void>
}

/**
 * Renders `Fallback`, or nothing, until the code has loaded. React's own `lazy` suspends even if the code was loaded
 * before, and React then shows the fallback for at least 300 ms. Panels that a click opens must open without that
 * delay.
 */
export function lazyComponent<Props extends object>(
  fetchCode: () => Promise<ComponentType<Props>>,
  Fallback?: ComponentType,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const load = async () => {
    loading ??= fetchCode()
    try {
      return (loaded = await loading)
    } catch (error) {
      loading = undefined
      throw error
    }
  }

  function Lazy(props: Props) {
    const [Component, setComponent] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown }>()
    useEffect(() => {
      if (Component) return
      let isMounted = true
      load().then(
        (component) => isMounted && setComponent(() => component),
        (error: unknown) => isMounted && setFailure({ error }),
      )
      return () => {
        isMounted = false
      }
    }, [Component])
    // Throw the load error during rendering, so that the error boundary catches it.
    if (failure) throw failure.error
    if (Component) return <Component {...props} />
    return Fallback ? <Fallback /> : null
  }
  return Object.assign(Lazy, {
    async load() {
      await load()
    },
  })
}
