"""Draw boards, stones, tables and arms of our own, with exact grids."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.cameras import (
    Camera,
    is_in_front,
    neighbor_camera,
    project,
    random_camera,
)
from vision.training.patterns import Color, ground, random_color, wood, wood_color
from vision.training.photos import BoardPicture
from vision.types import CameraModel, GridFit

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

TEXTURE_CELL_PX = 26
"""Resolution of the flat drawing of a board."""


def _star_points(size: int) -> list[tuple[int, int]]:
    low = 2 if size == 9 else 3
    picks = [low, size // 2, size - 1 - low]
    inner = picks if size == 19 else [low, size - 1 - low]
    points = [(r, c) for r in inner for c in inner]
    return [*points, (size // 2, size // 2)]


def _board_texture(
    rng: np.random.Generator, size: int, margin: tuple[float, float], color: Color
) -> Image:
    """Draw the flat board; cells are TEXTURE_CELL_PX square, margins (x, y) in cells."""
    cell = TEXTURE_CELL_PX
    width = round((size - 1 + 2 * margin[0]) * cell)
    height = round((size - 1 + 2 * margin[1]) * cell)
    image = wood(rng, height, width, color)
    dark = float(np.mean(color)) > 70
    ink = random_color(rng, 0, 60) if dark else random_color(rng, 170, 255)
    if rng.random() < 0.3:
        # Thin printed lines that hardly stand out from the wood.
        share = rng.uniform(0.3, 0.7)
        blue, green, red = share * np.array(ink) + (1 - share) * np.array(color)
        ink = (float(blue), float(green), float(red))
    thick = 1 if rng.random() < 0.65 else int(rng.integers(2, 4))
    x0, y0 = margin[0] * cell - 0.5, margin[1] * cell - 0.5
    last = (size - 1) * cell
    outer = thick + int(rng.integers(0, 3)) if rng.random() < 0.3 else thick
    for i in range(size):
        wide = outer if i in (0, size - 1) else thick
        for a, b in (((0, i), (size - 1, i)), ((i, 0), (i, size - 1))):
            ends = [
                (round(16 * (x0 + q[0] * cell)), round(16 * (y0 + q[1] * cell))) for q in (a, b)
            ]
            cv2.line(image, ends[0], ends[1], ink, wide, cv2.LINE_AA, 4)
    if rng.random() < 0.9:
        for r, c in _star_points(size):
            center = (round(16 * (x0 + c * cell)), round(16 * (y0 + r * cell)))
            radius = round(16 * rng.uniform(0.08, 0.16) * cell)
            cv2.circle(image, center, radius, ink, -1, cv2.LINE_AA, 4)
    if rng.random() < 0.2 and min(margin) > 0.7:
        for i in range(size):
            where = (int(x0 + i * cell - 5), int(y0 - 0.45 * cell))
            cv2.putText(image, chr(65 + i), where, 0, 0.4, ink, 1, cv2.LINE_AA)
            where = (int(x0 - 0.7 * cell), int(y0 + i * cell + 5))
            cv2.putText(image, str(i + 1), where, 0, 0.35, ink, 1, cv2.LINE_AA)
    if rng.random() < 0.15:
        fold = round(y0 + last / 2)
        cv2.line(image, (0, fold), (width, fold), random_color(rng, 0, 90), int(rng.integers(1, 3)))
    return image


def random_position(rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
    """Return (N, N): 0 empty, 1 black, 2 white; neighbors tend to have one color."""
    share = rng.choice([0.0, rng.uniform(0, 0.15), rng.uniform(0.1, 0.6), rng.uniform(0.6, 1.0)])
    noise = rng.standard_normal((size, size))
    field = np.asarray(cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.6, 2.5)), float)
    stones = np.where(field > np.median(field), 1, 2)
    if rng.random() < 0.4:
        stones = rng.integers(1, 3, (size, size))
    presence = rng.random((size, size))
    if rng.random() < 0.5:
        presence = np.asarray(cv2.GaussianBlur(presence, (0, 0), 1.5), float)
        presence = presence.argsort(axis=None).argsort().reshape(size, size) / size**2
    return np.where(presence < share, stones, 0).astype(np.uint8)


def ellipses(camera: Camera, centers: Matrix, radius: float, half_height: float) -> Matrix:
    """Project flat ellipsoids; return (N, 5): center x, y, half axes, angle in degrees."""
    shape = np.diag([radius**2, radius**2, half_height**2, -1.0])
    moves = np.tile(np.eye(4), (len(centers), 1, 1))
    moves[:, :3, 3] = centers
    dual = camera.matrix @ (moves @ shape @ moves.transpose(0, 2, 1)) @ camera.matrix.T
    dual = dual / -dual[:, 2:, 2:]
    middle = -dual[:, :2, 2]
    spread = dual[:, :2, :2] + middle[:, :, None] * middle[:, None, :]
    values, vectors = np.linalg.eigh(spread)
    axes = np.sqrt(np.maximum(values, 0.01))
    angle = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
    return np.column_stack([middle, axes[:, 1], axes[:, 0], angle])


def _fill(image: NDArray[np.uint8], ellipse: Matrix, scale: float, color: Color) -> None:
    x, y, a, b, angle = ellipse
    cv2.ellipse(
        image,
        (round(16 * x), round(16 * y)),
        (max(8, round(16 * scale * a)), max(8, round(16 * scale * b))),
        float(angle),
        0,
        360,
        color,
        -1,
        cv2.LINE_AA,
        4,
    )


def _brightness(image: Image, places: Matrix) -> float:
    """Return the median brightness of a picture at places (N, 2)."""
    x, y = np.round(places).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    return float(np.median(image[y[inside], x[inside]].mean(1))) if inside.any() else 128.0


def draw_stones(
    rng: np.random.Generator,
    image: Image,
    camera: Camera,
    centers: Matrix,
    colors: NDArray[np.uint8],
) -> None:
    """Draw stones standing on the plane z = 0, their shadows first, the far ones first."""
    radius, half = rng.uniform(0.42, 0.5), rng.uniform(0.14, 0.28)
    seen = is_in_front(camera, centers)
    centers, colors = centers[seen], colors[seen]
    if len(centers) == 0:
        return
    light = rng.uniform(-1, 1, 2)
    order = np.argsort(-np.linalg.norm(centers - camera.eye, axis=1))
    centers, colors = centers[order], colors[order]
    raised = centers + np.array([0, 0, half])
    shade = np.zeros(image.shape[:2], np.uint8)
    reach = rng.uniform(0.1, 0.6)
    for ellipse in ellipses(camera, centers + np.array([*(light * reach), 0.01]), radius, 0.02):
        _fill(shade, ellipse, 1.0, (255.0, 255.0, 255.0))
    depth = rng.uniform(0.1, 0.6)
    shade = np.asarray(cv2.blur(shade, (3, 3)), np.uint8)
    image[:] = (image * (1 - depth * shade[..., None].astype(np.float32) / 255)).astype(np.uint8)
    black, white = rng.uniform(8, 60), rng.uniform(170, 250)
    # Under the same light white stones are brighter than any wood, and black ones darker.
    ground = _brightness(image, project(camera, centers))
    black, white = min(black, 0.7 * ground), float(np.clip(ground + 25, white, 252))
    tint = rng.normal(0, 5, 3)
    gloss = rng.uniform(0, 1) if rng.random() < 0.7 else 0.0
    for ellipse, color in zip(ellipses(camera, raised, radius, half), colors, strict=True):
        base = (black if color == 1 else white) + rng.normal(0, 3) + tint
        _fill(image, ellipse, 1.0, tuple(np.clip(base * 0.8, 0, 255)))
        lit = ellipse.copy()
        lit[:2] -= 0.12 * ellipse[3] * light
        _fill(image, lit, 0.82, tuple(np.clip(base, 0, 255)))
        if gloss > 0.2:
            lit[:2] -= 0.3 * ellipse[3] * light
            top = base + gloss * ((150 if color == 1 else 40) + rng.normal(0, 10))
            _fill(image, lit, 0.25, tuple(np.clip(top, 0, 255)))


def draw_things(rng: np.random.Generator, image: Image, camera: Camera, reach: float) -> None:
    """Put bowls, cups, sheets and spilled stones beside the board."""
    floor = -rng.uniform(0, 3)
    for _ in range(int(rng.integers(0, 5))):
        angle, far = rng.uniform(0, 2 * np.pi), reach * rng.uniform(0.85, 1.6)
        spot = np.array([far * np.cos(angle), far * np.sin(angle), floor])
        kind = rng.random()
        if not is_in_front(camera, spot[None])[0]:
            continue
        if kind < 0.55:
            width = rng.uniform(1.5, 4)
            outer = ellipses(camera, spot[None] + [0, 0, 1], width, width * 0.8)[0]
            inner = ellipses(camera, spot[None] + [0, 0, 2], width * 0.75, 0.2)[0]
            color = np.array(random_color(rng, 10, 120))
            _fill(image, outer, 1.0, tuple(color))
            _fill(image, inner, 1.0, tuple(color * 0.5))
            grains = spot + [0, 0, 2.2] + rng.normal(0, width * 0.3, (25, 3)) * [1, 1, 0.1]
            draw_stones(rng, image, camera, grains, np.full(25, rng.integers(1, 3), np.uint8))
        elif kind < 0.8:
            turn, half = rng.uniform(0, np.pi), rng.uniform(1.5, 6, 2)
            square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
            spun = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            corners = project(camera, np.column_stack([spun + spot[:2], np.full(4, floor)]))
            cv2.fillConvexPoly(
                image, np.round(corners).astype(np.int32), random_color(rng), cv2.LINE_AA
            )
        else:
            count = int(rng.integers(1, 14))
            loose = np.column_stack(
                [spot[:2] + rng.normal(0, 1.5, (count, 2)), np.full(count, floor)]
            )
            draw_stones(rng, image, camera, loose, np.full(count, rng.integers(1, 3), np.uint8))


def draw_arm(
    rng: np.random.Generator, image: Image, target_px: NDArray[np.float64], thick_px: float
) -> NDArray[np.bool_]:
    """Draw an arm that reaches from the border to a pixel; return (H, W), what it covers."""
    height, width = image.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    away = target_px + np.hypot(height, width) * np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-np.sin(angle), np.cos(angle)])
    cover = np.zeros((height, width), np.uint8)
    elbow = target_px + (away - target_px) * rng.uniform(0.1, 0.3) + side * rng.normal(0, thick_px)
    skin = np.array([rng.uniform(60, 170), rng.uniform(80, 190), rng.uniform(110, 240)])
    sleeve = random_color(rng)
    from_x = 0.7 * thick_px
    wrist = np.array(
        [
            target_px + side * from_x,
            target_px - side * from_x,
            elbow - side * thick_px,
            elbow + side * thick_px,
        ]
    )
    upper = np.array(
        [
            elbow + 1.3 * side * thick_px,
            elbow - 1.3 * side * thick_px,
            away - 2 * side * thick_px,
            away + 2 * side * thick_px,
        ]
    )
    for part, color in ((wrist, tuple(skin)), (upper, sleeve)):
        corners = np.round(part).astype(np.int32)
        cv2.fillConvexPoly(image, corners, color, cv2.LINE_AA)
        cv2.fillConvexPoly(cover, corners, 1)
    for _ in range(int(rng.integers(3, 7))):
        tip = target_px + rng.normal(0, 1.2 * thick_px, 2)
        shade = tuple(np.clip(skin * rng.uniform(0.75, 1.1), 0, 255))
        ends = (tuple(map(int, target_px)), tuple(map(int, tip)))
        finger = max(2, int(0.5 * thick_px))
        cv2.line(image, *ends, shade, finger, cv2.LINE_AA)
        cv2.line(cover, *ends, 1, finger)
    return cover.astype(bool)


def lay(image: Image, texture: Image, warp: Matrix) -> None:
    """Draw a flat picture over another; `warp` (3, 3) leads from its pixels to the other's."""
    shape = (image.shape[1], image.shape[0])
    drawn = cv2.warpPerspective(texture, warp, shape, flags=cv2.INTER_AREA)
    solid = np.full(texture.shape[:2], 255, np.uint8)
    cover = cv2.warpPerspective(solid, warp, shape)[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - cover) + drawn * cover).astype(np.uint8)


def draw_board(
    rng: np.random.Generator, image: Image, camera: Camera, size: int, aspect: float
) -> Matrix:
    """Draw the block and its lines; return the homography from grid_xy to pixels."""
    margin = (rng.uniform(0.45, 1.4), 0.0)
    margin = (margin[0], margin[0] if rng.random() < 0.7 else rng.uniform(0.45, 1.4))
    color = wood_color(rng)
    texture = _board_texture(rng, size, margin, color)
    last = size - 1
    half = np.array([last / 2 + margin[0], (last / 2 + margin[1]) * aspect])
    thick = rng.choice([0.1, rng.uniform(0.2, 1.5), rng.uniform(1.5, 8)])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    top = project(camera, np.column_stack([square, np.zeros(4)]))
    foot = project(camera, np.column_stack([square, np.full(4, -thick)]))
    for i in range(4):
        j = (i + 1) % 4
        face = np.round([top[i], top[j], foot[j], foot[i]]).astype(np.int32)
        shade = np.array(color) * rng.uniform(0.3, 1.05)
        cv2.fillConvexPoly(image, face, tuple(np.clip(shade, 0, 255)), cv2.LINE_AA)
    cell = TEXTURE_CELL_PX
    to_world = np.array(
        [
            [1 / cell, 0, -half[0] + 0.5 / cell],
            [0, -aspect / cell, half[1] - 0.5 * aspect / cell],
            [0, 0, 1],
        ]
    )
    lay(image, texture, camera.plane(0.0) @ to_world)
    # Seen from above, rows run down the board while y runs up.
    to_grid = np.array([[1, 0, -last / 2], [0, -aspect, last / 2 * aspect], [0, 0, 1.0]])
    return np.asarray(camera.plane(0.0) @ to_grid)


def draw_neighbor(
    rng: np.random.Generator, image: Image, camera: Camera, size: int, aspect: float
) -> None:
    """Draw a second board beside the first, as in a hall: cut by the picture, or smaller."""
    beside = neighbor_camera(rng, camera, size, image.shape[1::-1])
    if beside is not None:
        draw_board(rng, image, beside, size, aspect)
        stand_stones(rng, image, beside, random_position(rng, size), aspect)


def stand_stones(
    rng: np.random.Generator,
    image: Image,
    camera: Camera,
    position: NDArray[np.uint8],
    aspect: float,
) -> None:
    """Draw the stones of a position (N, N) on the board at the origin."""
    size = len(position)
    rows, cols = np.nonzero(position)
    if not len(rows):
        return
    spots = np.column_stack(
        [cols - (size - 1) / 2, ((size - 1) / 2 - rows) * aspect, np.zeros(len(rows))]
    )
    spots[:, :2] += rng.normal(0, rng.uniform(0, 0.07), (len(rows), 2))
    draw_stones(rng, image, camera, spots, position[rows, cols])


def draw_floor(
    rng: np.random.Generator, camera: Camera, width: int, height: int, reach: float
) -> Image:
    """Return a table or a floor as a camera sees it; `reach` is how far the board goes."""
    texture = ground(rng, 480, 480)
    wide = reach * rng.uniform(3, 8)
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn) * wide / 480, np.sin(turn) * wide / 480
    place = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]]) @ np.array(
        [[1, 0, -240], [0, 1, -240], [0, 0, 1.0]]
    )
    warp = camera.plane(-rng.uniform(0, 6)) @ place
    image = cv2.warpPerspective(
        texture, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(image, np.uint8)


def draw_scene(
    rng: np.random.Generator, width: int, height: int, *, has_board: bool = True
) -> BoardPicture:
    """Draw a random board, or a table without one, and say where its grid is."""
    size = int(rng.choice([19, 19, 13, 9]))
    aspect = rng.uniform(1.0, 1.1)
    camera = random_camera(rng, width, height, size + 1.5)
    image = draw_floor(rng, camera, width, height, size)
    if not has_board:
        draw_things(rng, image, camera, size * 0.5)
        return BoardPicture("empty", "scenes", image, None)
    if rng.random() < 0.25:
        draw_neighbor(rng, image, camera, size, aspect)
    matrix = draw_board(rng, image, camera, size, aspect)
    stand_stones(rng, image, camera, random_position(rng, size), aspect)
    draw_things(rng, image, camera, size * 0.75)
    grid = GridFit(size, matrix, CameraModel(width, height), rms_px=0.0, confidence=1.0)
    return BoardPicture("scene", "scenes", image, grid)
