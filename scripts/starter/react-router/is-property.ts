import { Node } from "ts-morph";

/** Returns whether the node names an object's property, as in `response.json` or `{ json: 1 }`. */
export function isProperty(name: Node): boolean {
  const parent = name.getParent();
  return (
    (Node.isPropertyAccessExpression(parent) && parent.getNameNode() === name) ||
    (Node.isPropertyAssignment(parent) && parent.getNameNode() === name)
  );
}
