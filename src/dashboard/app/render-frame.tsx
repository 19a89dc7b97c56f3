import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { Shell } from './Shell'

/**
 * The HTML of the empty shell. The build puts it into index.html, so that the frame is on screen before the script is
 * loaded; React then renders the same elements. No path is current: one page serves every path.
 */
export function renderFrame(): string {
  return renderToStaticMarkup(
    <Router ssrPath="/frame">
      <div className="frame">
        <Shell isSignedIn={false}>{null}</Shell>
      </div>
    </Router>,
  )
}
