/**
 * Charts as inline SVG and the page around them: no script, no file beside the page, readable in a
 * light and in a dark browser. Colours are names of the page's style sheet.
 */
package org.rackweave.chart;
